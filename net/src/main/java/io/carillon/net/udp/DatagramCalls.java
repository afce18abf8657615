package io.carillon.net.udp;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The system calls of a datagram socket on Linux: socket(2), setsockopt(2), recvmmsg(2),
 * recvmsg(2), sendmmsg(2), sendto(2), ioctl(2). Numbers and structures are those of 64-bit machines
 * that put the least byte first, which is all that Netty's epoll, the condition for this class,
 * comes for. Pointers are plain addresses; whoever calls keeps the memory alive.
 *
 * <p>Owner: one thread per object; errno is read after a call of the same object.
 */
class DatagramCalls {

    static final int AF_INET = 2;
    static final int AF_INET6 = 10;

    /** Not before the socket can take or give at once. */
    static final int EAGAIN = 11;

    static final int EINTR = 4;

    /** A program on a socket is longer than net.core.optmem_max. */
    static final int ENOMEM = 12;

    private static final int SOCK_DGRAM = 2;
    private static final int SOCK_NONBLOCK = 0x800;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_ATTACH_REUSEPORT_CBPF = 51;
    private static final int SOCK_FPROG_BYTES = 16;
    private static final long SIOCGSTAMPNS = 0x8907;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_ERRQUEUE = 0x2000;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO =
            CALL_STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final MethodHandle SOCKET =
            call(
                    "socket",
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT));
    private static final MethodHandle SETSOCKOPT =
            call(
                    "setsockopt",
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_INT));
    private static final MethodHandle RECVMMSG =
            call(
                    "recvmmsg",
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_LONG));
    private static final MethodHandle SENDMMSG =
            call(
                    "sendmmsg",
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT));
    private static final MethodHandle RECVMSG =
            call(
                    "recvmsg",
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_INT));
    private static final MethodHandle SENDTO =
            call(
                    "sendto",
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_INT));

    private static final MethodHandle IOCTL =
            call(
                    "ioctl",
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG),
                    Linker.Option.firstVariadicArg(2));

    private final MemorySegment state = Arena.ofAuto().allocate(CALL_STATE);

    /** A struct timespec. */
    private final MemorySegment stamp = Arena.ofAuto().allocate(16, 8);

    @SuppressWarnings("restricted") // what this class is for; the launcher enables native access
    private static MethodHandle call(
            String name, FunctionDescriptor descriptor, Linker.Option... more) {
        Linker.Option[] options = Arrays.copyOf(more, more.length + 1);
        options[more.length] = Linker.Option.captureCallState("errno");
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, options);
    }

    /** A new datagram socket that never blocks; negative: see {@link #errno}. */
    int socket(int family) {
        try {
            return (int)
                    SOCKET.invokeExact(state, family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /**
     * Gives the kernel the program that chooses among the sockets of a shared port, for all of
     * them; negative: see {@link #errno}.
     *
     * @param program {@code struct sock_filter}s; the kernel copies them
     */
    int choose(int fd, long[] program) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment filters = arena.allocateFrom(ValueLayout.JAVA_LONG, program);
            MemorySegment whole = arena.allocate(SOCK_FPROG_BYTES, 8);
            whole.set(ValueLayout.JAVA_SHORT, 0, (short) program.length);
            whole.set(ValueLayout.JAVA_LONG, 8, filters.address());
            return (int)
                    SETSOCKOPT.invokeExact(
                            state,
                            fd,
                            SOL_SOCKET,
                            SO_ATTACH_REUSEPORT_CBPF,
                            whole.address(),
                            SOCK_FPROG_BYTES);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** Receives up to {@code count} datagrams; how many, negative: see {@link #errno}. */
    int receive(int fd, long vector, int count) {
        try {
            return (int) RECVMMSG.invokeExact(state, fd, vector, count, MSG_DONTWAIT, 0L);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** Sends up to {@code count} datagrams; how many, negative: see {@link #errno}. */
    int send(int fd, long vector, int count) {
        try {
            return (int) SENDMMSG.invokeExact(state, fd, vector, count, MSG_DONTWAIT);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** Sends one datagram; negative: see {@link #errno}. */
    int sendOne(int fd, long bytes, long length, long address, int addressLength) {
        try {
            return (int)
                    (long)
                            SENDTO.invokeExact(
                                    state, fd, bytes, length, MSG_DONTWAIT, address, addressLength);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** Receives what an error quotes of a datagram of ours; its length, negative: none is there. */
    int receiveError(int fd, long message) {
        try {
            return (int)
                    (long) RECVMSG.invokeExact(state, fd, message, MSG_DONTWAIT | MSG_ERRQUEUE);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** The clock by which a turn is measured, in nanoseconds: {@link System#nanoTime}. */
    long nanoTime() {
        return System.nanoTime();
    }

    /**
     * When the datagram that was received last had come to the kernel, in milliseconds since 1970;
     * 0 when that is not known. The first call has the kernel write it down from then on
     * (socket(7), SIOCGSTAMP): one call for many datagrams, and no control data with each.
     */
    long cameAtMillis(int fd) {
        try {
            int result = (int) IOCTL.invokeExact(state, fd, SIOCGSTAMPNS, stamp.address());
            return result < 0
                    ? 0
                    : stamp.get(ValueLayout.JAVA_LONG, 0) * 1_000
                            + stamp.get(ValueLayout.JAVA_LONG, 8) / 1_000_000;
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** The error of the last call that failed. */
    int errno() {
        return (int) ERRNO.get(state, 0L);
    }

    /** An error in words for logs. */
    static String words(int errno) {
        return switch (errno) {
            case 1 -> "the kernel does not permit it (EPERM)";
            case 13 -> "permission denied (EACCES)";
            case 22 -> "invalid address (EINVAL)";
            case 90 -> "the datagram is too long for the way (EMSGSIZE)";
            case 97 -> "the socket cannot reach this kind of address (EAFNOSUPPORT)";
            case 99 -> "the address is not to be had (EADDRNOTAVAIL)";
            case 101 -> "the network is unreachable (ENETUNREACH)";
            case 105 -> "the kernel has no buffer left (ENOBUFS)";
            case 111 -> "connection refused (ECONNREFUSED)";
            case 113 -> "no route to the host (EHOSTUNREACH)";
            default -> "error " + errno + " of the operating system";
        };
    }

    private static IllegalStateException unexpected(Throwable t) {
        if (t instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("a system call could not be made", t);
    }
}
