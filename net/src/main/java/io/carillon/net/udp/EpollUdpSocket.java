package io.carillon.net.udp;

import io.carillon.net.count.LoopCounts;
import io.carillon.net.count.NetworkCounter;
import io.carillon.net.guard.Guard;
import io.carillon.net.keepalive.Stun;
import io.carillon.net.keepalive.StunPort;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.listen.ReceiveBuffer;
import io.carillon.net.shard.FailureReport;
import io.carillon.net.shard.ShardLoop;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.token.OwnTokens;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.Socket;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A datagram socket in the event loop's epoll, read and written by system calls of its own: no
 * channel, pipeline, buffer object or promise per datagram. What is received lands in one buffer
 * outside the heap, what is sent waits in another ({@link UnsentDatagrams}) until the message that
 * made it has been dealt with; where a whole window of datagrams waited, and for what timers send,
 * until the iteration ends.
 *
 * <p>While new work is shed, what is under way is served as it comes, and new work ({@link
 * NewWork}) when the kernel has no more.
 *
 * <p>Owner: the loop. Memory: both buffers live as long as the socket; the kernel's pages behind
 * them only as far as they were used. New work that waits: as many bytes as the kernel may hold.
 */
final class EpollUdpSocket implements UdpSocket, EpollIoHandle {

    private static final int IPPROTO_IPV6 = 41;
    private static final int IPV6_V6ONLY = 26;
    private static final int IPV6_RECVERR = 25;
    private static final int IPPROTO_IP = 0;
    private static final int IP_RECVERR = 11;

    /** So many at once say that datagrams wait. */
    private static final int SOME_WAIT = 4;

    private static final long MOST_WAIT_MILLIS = 1_000;

    /** Whatever the time. */
    private static final int SOON_READ = 64;

    /** So long it reads before other work of the loop gets its turn. */
    private static final long MAX_READ_NANOS = 2_000_000;

    /** So long it serves new work, while some is shed, before it looks for what is under way. */
    private static final long NEW_WORK_NANOS = 300_000;

    /** New work between two looks at the clock. */
    private static final int SOME_NEW = 4;

    /** In a turn of the loop in which what is under way left no time for more. */
    private static final int LEAST_NEW = 8;

    private final ShardLoop loop;
    private final DatagramScreening reception;
    private final StunPort stun;
    private final LoopCounts tally;
    private final ListeningPoint point;
    private final InetSocketAddress local;
    private final int askedBytes;
    private final int grantedBytes;
    private final Socket socket;
    private final int fd;
    private final DatagramCalls calls;
    private final IoRegistration registration;

    private final MessageVector in;
    private final int window;
    private final MemorySegment received;
    private final ReceivedHops origins;

    private final UnsentDatagrams unsent;
    private final NewWork newWork;
    private final Runnable askForTurn;
    private boolean sorts;
    private boolean turnAsked;
    private long cameNanos;
    private boolean closed;

    private EpollUdpSocket(
            ShardLoop loop,
            ListeningPoint point,
            Socket socket,
            int family,
            UdpConfig udp,
            DatagramScreening reception,
            DatagramCalls calls)
            throws IOException {
        this.calls = calls;
        this.loop = loop;
        this.reception = reception;
        this.stun = new StunPort(loop, reception.pings());
        this.tally = loop.tally();
        this.point = point;
        this.socket = socket;
        this.fd = socket.intValue();
        this.local = socket.localAddress();
        this.askedBytes = udp.receiveBufferBytes();
        // socket(7): the kernel doubles the value for bookkeeping, and the doubled one is read.
        this.grantedBytes = socket.getReceiveBufferSize() / 2;
        Arena arena = Arena.ofAuto();
        this.window = udp.batch();
        this.in = new MessageVector(window);
        this.received = arena.allocate((long) window * SLOT_BYTES, 64);
        for (int i = 0; i < window; i++) {
            in.bytes(i, received.address() + (long) i * SLOT_BYTES, SLOT_BYTES);
        }
        this.origins = new ReceivedHops(local);
        this.unsent =
                new UnsentDatagrams(
                        loop, calls, fd, family, udp.maxUnsentBytes(), this::waitForRoom);
        this.newWork = new NewWork(udp.receiveBufferBytes(), this::serve);
        this.askForTurn = () -> loop.eventLoop().execute(this::turn);
        this.registration = register(loop);
    }

    /**
     * Opens and binds.
     *
     * @param shared whether other sockets of ours have the port too (SO_REUSEPORT)
     * @param reception what datagrams meet before they are SIP
     * @param calls the kernel's, of this socket alone
     */
    static EpollUdpSocket open(
            ListeningPoint point,
            InetSocketAddress address,
            ShardLoop loop,
            boolean shared,
            UdpConfig udp,
            DatagramScreening reception,
            DatagramCalls calls)
            throws IOException {
        int family = family(address);
        Socket socket = bound(address, family, shared, udp, calls);
        try {
            return new EpollUdpSocket(loop, point, socket, family, udp, reception, calls);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /** Binds an address and lets it go again; the address with the port that was chosen. */
    static InetSocketAddress probe(InetSocketAddress address, UdpConfig udp) throws IOException {
        Socket socket = bound(address, family(address), false, udp, new DatagramCalls());
        InetSocketAddress chosen = socket.localAddress();
        socket.close();
        return chosen;
    }

    private static Socket bound(
            InetSocketAddress address,
            int family,
            boolean shared,
            UdpConfig udp,
            DatagramCalls calls)
            throws IOException {
        int fd = calls.socket(family);
        if (fd < 0) {
            throw new IOException("no socket: " + DatagramCalls.words(calls.errno()));
        }
        Socket socket = new Socket(fd);
        try {
            if (family == DatagramCalls.AF_INET6) {
                socket.setIntOpt(IPPROTO_IPV6, IPV6_V6ONLY, 0);
            }
            socket.setReceiveBufferSize(udp.receiveBufferBytes());
            socket.setSendBufferSize(udp.sendBufferBytes());
            socket.setReusePort(shared);
            socket.bind(address);
            return socket;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * From now on ICMP errors are heard of, and fail the requests that they are about; before
     * {@link #receive}.
     */
    void hearErrors() throws IOException {
        socket.setIntOpt(IPPROTO_IP, IP_RECVERR, 1);
        if (local.getAddress() instanceof Inet6Address) {
            socket.setIntOpt(IPPROTO_IPV6, IPV6_RECVERR, 1);
        }
        unsent.hear(new ErrorQueue(loop, reception.taker()));
    }

    /**
     * From now on the kernel puts datagrams of the port into the socket of the shard that they
     * belong to, see {@link SocketChoice}; when all of its sockets are bound, in the order of their
     * shards.
     *
     * @return 0, or the error with which the kernel does not take that
     */
    int chooseByShard(OwnTokens tokens, int shards) {
        return choose(SocketChoice.program(tokens, shards));
    }

    /** As {@link #chooseByShard}, of a port that carries frames. */
    int chooseByPartition(int shards) {
        return choose(PartitionChoice.program(shards));
    }

    private int choose(long[] program) {
        return calls.choose(fd, program) < 0 ? calls.errno() : 0;
    }

    private static int family(InetSocketAddress address) {
        return address.getAddress() instanceof Inet6Address
                ? DatagramCalls.AF_INET6
                : DatagramCalls.AF_INET;
    }

    private IoRegistration register(ShardLoop loop) throws IOException {
        Future<IoRegistration> future = ((IoEventLoop) loop.eventLoop()).register(this);
        future.awaitUninterruptibly();
        Throwable cause = future.cause();
        if (cause != null) {
            throw new IOException("the event loop does not take the socket", cause);
        }
        return future.getNow();
    }

    @Override
    public FileDescriptor fd() {
        return socket;
    }

    @Override
    public InetSocketAddress local() {
        return local;
    }

    @Override
    public void receive() {
        registration.submit(EpollIoOps.EPOLLIN);
    }

    @Override
    public ReceiveBuffer receiveBuffer() {
        return new ReceiveBuffer(
                point.withPort(local.getPort()), loop.index(), askedBytes, grantedBytes);
    }

    @Override
    public void handle(IoRegistration of, IoEvent event) {
        if (closed) {
            return;
        }
        EpollIoOps ready = ((EpollIoEvent) event).ops();
        if (ready.contains(EpollIoOps.EPOLLOUT)) {
            loop.begin();
            takesMore();
        }
        if (ready.contains(EpollIoOps.EPOLLERR)) {
            unsent.heardErrors();
        }
        if (ready.contains(EpollIoOps.EPOLLIN) || ready.contains(EpollIoOps.EPOLLERR)) {
            tally.count(NetworkCounter.READ_BATCHES);
            read();
        }
    }

    private void read() {
        int total = 0;
        int count;
        boolean crowded = false;
        long began = calls.nanoTime();
        do {
            if (closed) {
                return;
            }
            loop.beginRead();
            count = receiveWindow();
            crowded |= count == window;
            sorts = newWork.waits() || loop.sheds();
            waited(count);
            for (int i = 0; i < count; i++) {
                received(i);
                if (!crowded && !sorts) {
                    // Whoever gets it (a router's link too) has it while we read the next one, and
                    // may answer before we sleep. Where a whole window waited, calls count more.
                    loop.flushDatagrams();
                }
            }
            if (sorts && count < window) {
                serveNew();
            }
            total += count;
            // One that was not filled needs no further call just to hear that there is nothing:
            // epoll is level-triggered and tells again.
        } while ((count == window || newWork.waits())
                && total < MAX_DATAGRAMS
                && ((total < SOON_READ && !sorts) || calls.nanoTime() - began < MAX_READ_NANOS));
        if (newWork.waits()) {
            if (count == window) {
                newWork.serve(LEAST_NEW);
            }
            askForTurn();
        }
    }

    /** Datagrams that the kernel had, a window at most. */
    private int receiveWindow() {
        int count = calls.receive(fd, in.pointer(0), window);
        if (count >= 0) {
            return count;
        }
        int errno = calls.errno();
        if (unsent.isAboutSent(errno)) {
            // It is about a datagram that was sent; epoll tells again of those that came.
            unsent.heardErrors();
        } else if (errno != DatagramCalls.EAGAIN && errno != DatagramCalls.EINTR) {
            tally.count(NetworkCounter.DATAGRAM_READ_ERRORS);
        }
        return 0;
    }

    /** As long as the last of them every one has waited. */
    private void waited(int count) {
        boolean tells = count >= SOME_WAIT && !newWork.waits();
        if (count == 0 || !(sorts || tells)) {
            return;
        }
        long nanos = 0;
        long cameMillis = calls.cameAtMillis(fd);
        if (cameMillis != 0) {
            // The clock may have been set meanwhile.
            long millis = Math.clamp(System.currentTimeMillis() - cameMillis, 0, MOST_WAIT_MILLIS);
            nanos = TimeUnit.MILLISECONDS.toNanos(millis);
            if (tells) {
                loop.delay().atSocket(nanos);
            }
        }
        cameNanos = calls.nanoTime() - nanos;
    }

    private void serveNew() {
        long until = calls.nanoTime() + NEW_WORK_NANOS;
        while (newWork.waits()) {
            newWork.serve(SOME_NEW);
            if (calls.nanoTime() - until > 0) {
                return;
            }
        }
    }

    /** Its wait is over: here and in the kernel. */
    private void serve(byte[] message, Hop from, long came) {
        loop.delay().atSocket(Math.max(0, calls.nanoTime() - came));
        loop.deliver(message, message.length, from);
    }

    /** In the loop's next iteration: what else it has to do comes first. */
    private void askForTurn() {
        if (!turnAsked) {
            turnAsked = true;
            loop.eventLoop().executeAfterEventLoopIteration(askForTurn);
        }
    }

    private void turn() {
        turnAsked = false;
        if (newWork.waits()) {
            read();
        }
    }

    private void received(int index) {
        int length = in.received(index);
        tally.count(NetworkCounter.DATAGRAMS_IN);
        tally.add(NetworkCounter.DATAGRAM_BYTES_IN, length);
        Guard watch = reception.guard();
        if (watch != null
                && !watch.admitsDatagram(
                        SocketAddresses.source(in.addresses(), MessageVector.addressAt(index)),
                        loop.nowNanos(),
                        tally,
                        loop.sheds())) {
            in.addressLength(index, SocketAddresses.IN6_BYTES);
            return;
        }
        byte[] bytes = new byte[length];
        MemorySegment.copy(
                received, ValueLayout.JAVA_BYTE, (long) index * SLOT_BYTES, bytes, 0, length);
        Hop from = origins.of(in.addresses(), MessageVector.addressAt(index));
        in.addressLength(index, SocketAddresses.IN6_BYTES);
        DatagramTaker taker = reception.taker();
        if (taker != null) {
            taker.received(loop, bytes, length);
            return;
        }
        if (UdpSocket.isKeepAlive(bytes)) {
            tally.count(NetworkCounter.KEEPALIVES);
            return;
        }
        if (Stun.is(bytes)) {
            stun.received(bytes, from.remote(), this);
            return;
        }
        if (sorts && !loop.shard().overload().overtakes(bytes, length)) {
            newWork.add(bytes, from, cameNanos);
            return;
        }
        loop.deliver(bytes, length, from);
    }

    @Override
    public void send(
            byte[] bytes, int length, InetSocketAddress remote, @Nullable FailureReport failure) {
        if (closed) {
            unsent.refuse(failure, "the socket is closed");
        } else if (length > MAX_PAYLOAD) {
            unsent.refuse(failure, "a datagram cannot hold " + length + " bytes");
        } else if (unsent.add(bytes, length, remote, failure)) {
            loop.flushLater(this);
        }
    }

    @Override
    public void flushBatch() {
        if (!closed) {
            unsent.flush();
        }
    }

    private void waitForRoom() {
        registration.submit(EpollIoOps.EPOLLIN.with(EpollIoOps.EPOLLOUT));
    }

    private void takesMore() {
        if (unsent.unblock()) {
            registration.submit(EpollIoOps.EPOLLIN);
            unsent.flush();
        }
    }

    /** Serves new work that waits, sends what waits and closes; returns when that is done. */
    @Override
    public void close() {
        loop.eventLoop().submit(this::closeInLoop).awaitUninterruptibly();
    }

    private void closeInLoop() {
        if (closed) {
            return;
        }
        newWork.serve(NewWork.MOST);
        unsent.drop();
        closed = true;
        registration.cancel();
        try {
            socket.close();
        } catch (IOException e) {
            loop.fault("closing " + point + " failed", e);
        }
    }
}
