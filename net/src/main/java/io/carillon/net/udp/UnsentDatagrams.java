package io.carillon.net.udp;

import io.carillon.net.count.LoopCounts;
import io.carillon.net.count.NetworkCounter;
import io.carillon.net.shard.FailureReport;
import io.carillon.net.shard.ShardLoop;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Datagrams of one socket that wait for the kernel, in the order in which they leave, and what ICMP
 * says about those that have left.
 *
 * <p>Owner: the loop of the socket. Memory: one buffer outside the heap, of which the kernel gives
 * pages as far as they were used; {@value #MOST} datagrams at most.
 */
final class UnsentDatagrams {
    private static final int MOST = 1024;

    /** A datagram that is refused for an earlier one's error is sent again so often. */
    private static final int MAX_RESENDS = 16;

    private static final int EAFNOSUPPORT = 97;

    private final ShardLoop loop;
    private final LoopCounts tally;
    private final DatagramCalls calls;
    private final int fd;
    private final Runnable full;

    private final MessageVector out = new MessageVector(MOST);
    private final @Nullable FailureReport[] reports = new @Nullable FailureReport[MOST];
    private final MemorySegment waiting;
    private final KernelAddresses destinations;
    private @Nullable ErrorQueue errors;
    private int first;
    private int end;
    private long waitingBytes;
    private boolean blocked;

    /**
     * @param bytes that may wait
     * @param family AF_INET or AF_INET6, of the socket
     * @param full called when the kernel takes no more: whoever is called asks epoll to tell when
     *     it does
     */
    UnsentDatagrams(
            ShardLoop loop, DatagramCalls calls, int fd, int family, int bytes, Runnable full) {
        this.loop = loop;
        this.tally = loop.tally();
        this.calls = calls;
        this.fd = fd;
        this.full = full;
        this.waiting = Arena.ofAuto().allocate(Math.max(bytes, UdpSocket.SLOT_BYTES), 64);
        this.destinations = new KernelAddresses(family);
    }

    /** From now on ICMP errors are heard of. */
    void hear(ErrorQueue queue) {
        errors = queue;
    }

    /** Is that, of a call on this socket, an error about a datagram that was sent? */
    boolean isAboutSent(int errno) {
        return errors != null && ErrorQueue.reports(errno);
    }

    /** True when errors about earlier datagrams waited. */
    boolean heardErrors() {
        ErrorQueue queue = errors;
        if (queue == null) {
            return false;
        }
        loop.begin();
        return queue.drain(calls, fd) > 0;
    }

    /**
     * Adds one. It leaves with the next {@link #flush}, or now where many wait.
     *
     * @return true when it is the first that waits
     */
    boolean add(
            byte[] bytes, int length, InetSocketAddress remote, @Nullable FailureReport failure) {
        if (hasNoRoom(length)) {
            flush();
            if (hasNoRoom(length)) {
                tally.count(NetworkCounter.DATAGRAMS_UNSENT);
                return false;
            }
        }
        if (!destinations.put(remote, out, end)) {
            refuse(failure, DatagramCalls.words(EAFNOSUPPORT));
            return false;
        }
        MemorySegment.copy(bytes, 0, waiting, ValueLayout.JAVA_BYTE, waitingBytes, length);
        out.bytes(end, waiting.address() + waitingBytes, length);
        reports[end] = failure;
        waitingBytes += length;
        tally.count(NetworkCounter.DATAGRAMS_OUT);
        tally.add(NetworkCounter.DATAGRAM_BYTES_OUT, length);
        int count = ++end - first;
        if (count == UdpSocket.FLUSH_AT) {
            flush();
        }
        return count == 1;
    }

    private boolean hasNoRoom(int length) {
        return end == MOST || waitingBytes + length > waiting.byteSize();
    }

    /** One is not sent, and its sender is told why. */
    void refuse(@Nullable FailureReport failure, String why) {
        tally.count(NetworkCounter.DATAGRAM_SEND_ERRORS);
        if (failure != null) {
            failure.report(why);
        }
    }

    /** Hands what waits to the kernel, as far as it takes it. */
    void flush() {
        if (blocked || first == end) {
            return;
        }
        tally.count(NetworkCounter.WRITE_BATCHES);
        int again = 0;
        while (first < end) {
            int sent = sendFrom(first);
            if (sent > 0) {
                again = 0;
                first += sent;
                continue;
            }
            int errno = calls.errno();
            if (isAboutSent(errno) && again < MAX_RESENDS) {
                // The call may speak of an earlier datagram, and this one has not left.
                again = heardErrors() ? again + 1 : again + MAX_RESENDS / 2;
                continue;
            }
            again = 0;
            if (errno == DatagramCalls.EAGAIN) {
                blocked = true;
                full.run();
                return;
            }
            if (errno != DatagramCalls.EINTR) {
                refuse(reports[first], DatagramCalls.words(errno));
                first++;
            }
        }
        Arrays.fill(reports, 0, end, null);
        first = 0;
        end = 0;
        waitingBytes = 0;
    }

    /** One or many in one system call; how many left, 0 when the first one did not. */
    private int sendFrom(int index) {
        if (end - index > 1) {
            return Math.max(0, calls.send(fd, out.pointer(index), end - index));
        }
        int result =
                calls.sendOne(
                        fd,
                        out.bytesPointer(index),
                        out.bytesLength(index),
                        out.addressPointer(index),
                        out.addressLength(index));
        return result < 0 ? 0 : 1;
    }

    /** The kernel takes more again; false when it had not been full. */
    boolean unblock() {
        boolean was = blocked;
        blocked = false;
        return was;
    }

    /**
     * The socket closes: what a kernel that takes no more left over is lost with it, and counted.
     */
    void drop() {
        flush();
        tally.add(NetworkCounter.DATAGRAMS_UNSENT, end - first);
    }
}
