package io.carillon.server.service;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/**
 * A Unix socket for datagrams, which Java has none of. Stateless; any thread; does not wait.
 *
 * @param name its path; {@code @} before it: a name without a file (unix(7))
 */
record NotifySocket(String name) implements ServiceManager.Channel {
    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM = 2;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_NOSIGNAL = 0x4000;

    /** Of sun_path. */
    private static final int LONGEST = 108;

    private static final int PATH_OFFSET = 2;

    @Override
    public void send(String text) throws IOException {
        byte[] path = name.getBytes(StandardCharsets.UTF_8);
        if (path.length >= LONGEST) {
            throw new IOException("its name has more than " + (LONGEST - 1) + " bytes");
        }
        if (path.length > 0 && path[0] == '@') {
            path[0] = 0;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(PATH_OFFSET + LONGEST, Short.BYTES);
            address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_UNIX);
            MemorySegment.copy(path, 0, address, ValueLayout.JAVA_BYTE, PATH_OFFSET, path.length);
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            MemorySegment message = arena.allocate(Math.max(1, bytes.length));
            MemorySegment.copy(bytes, 0, message, ValueLayout.JAVA_BYTE, 0, bytes.length);
            send(address, PATH_OFFSET + path.length, message, bytes.length);
        }
    }

    private static void send(MemorySegment to, int toLength, MemorySegment message, long length)
            throws IOException {
        int socket = (int) call(SOCKET, AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (socket < 0) {
            throw new IOException("the system refused a socket");
        }
        try {
            long sent =
                    (long)
                            call(
                                    SEND_TO,
                                    socket,
                                    message,
                                    length,
                                    MSG_DONTWAIT | MSG_NOSIGNAL,
                                    to,
                                    toLength);
            if (sent != length) {
                throw new IOException("nobody takes what is sent to it");
            }
        } finally {
            call(CLOSE, socket);
        }
    }

    private static final MethodHandle SOCKET =
            handle(
                    "socket",
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT));

    private static final MethodHandle SEND_TO =
            handle(
                    "sendto",
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_INT,
                            ValueLayout.ADDRESS,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_INT,
                            ValueLayout.ADDRESS,
                            ValueLayout.JAVA_INT));

    private static final MethodHandle CLOSE =
            handle("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

    @SuppressWarnings("restricted") // the launcher enables native access
    private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor);
    }

    private static Object call(MethodHandle function, Object... arguments) {
        try {
            return function.invokeWithArguments(arguments);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("the system cannot be called", e);
        }
    }
}
