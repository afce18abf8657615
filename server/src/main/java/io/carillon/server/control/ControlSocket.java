package io.carillon.server.control;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's end of the control socket. A client sends one line, a command's name and perhaps a
 * blank and its argument; the answer is {@code OK} or {@code ERROR reason} on a line of its own,
 * then the command's text, then the end. Platform threads answer, so that a status comes also while
 * applications hold every carrier of virtual threads.
 */
public final class ControlSocket implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlSocket.class);
    private static final int LONGEST_COMMAND = 16 << 10;
    private static final int MOST_CLIENTS = 8;

    private final Path path;
    private final ServerSocketChannel channel;
    private final Map<String, ControlCommand> commands;
    private final ThreadPoolExecutor clients =
            new ThreadPoolExecutor(
                    0,
                    MOST_CLIENTS,
                    5,
                    TimeUnit.SECONDS,
                    new SynchronousQueue<>(),
                    Thread.ofPlatform().daemon().name("control-", 0).factory());

    private ControlSocket(
            Path path, ServerSocketChannel channel, Map<String, ControlCommand> commands) {
        this.path = path;
        this.channel = channel;
        this.commands = commands;
    }

    /**
     * Opens the socket, removes those of dead servers, and answers from now on.
     *
     * @param commands what is answered, by name; called on threads of the control socket
     * @throws IOException when the folder or the socket cannot be made safe
     */
    public static ControlSocket open(ControlFolder folder, Map<String, ControlCommand> commands)
            throws IOException {
        folder.create();
        for (Path old : folder.sockets()) {
            if (!ControlClient.answers(old)) {
                Files.deleteIfExists(old);
            }
        }
        Path path = folder.socket(ProcessHandle.current().pid());
        Files.deleteIfExists(path);
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.bind(UnixDomainSocketAddress.of(path));
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        ControlSocket socket = new ControlSocket(path, channel, Map.copyOf(commands));
        Thread.ofPlatform().daemon().name("control").start(socket::accept);
        return socket;
    }

    private void accept() {
        while (true) {
            try {
                SocketChannel client = channel.accept();
                try {
                    clients.execute(() -> serve(client));
                } catch (RejectedExecutionException e) {
                    client.close(); // all threads are busy: the client sees an end without an
                    // answer
                }
            } catch (ClosedChannelException e) {
                return;
            } catch (IOException e) {
                LOG.warn("The control socket no longer accepts: {}", e.getMessage());
                return;
            }
        }
    }

    private void serve(SocketChannel client) {
        try (client) {
            ByteBuffer bytes =
                    ByteBuffer.wrap(
                            answer(readLine(client), client).getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                client.write(bytes);
            }
        } catch (IOException e) {
            LOG.debug("A control client went away: {}", e.getMessage());
        }
    }

    private String answer(String line, SocketChannel client) throws IOException {
        int blank = line.indexOf(' ');
        String name = blank < 0 ? line : line.substring(0, blank);
        ControlCommand command = commands.get(name);
        if (command == null) {
            return "ERROR unknown command\n";
        }
        try {
            String argument = blank < 0 ? "" : line.substring(blank + 1);
            return "OK\n"
                    + (command instanceof CallerCommand caller
                            ? caller.answer(argument, user(client))
                            : command.answer(argument));
        } catch (ControlFailure e) {
            return "ERROR " + e.getMessage() + "\n";
        } catch (RuntimeException | LinkageError e) {
            LOG.error("The command {} failed", name, e);
            return "ERROR internal error: " + e + "\n";
        }
    }

    private static String user(SocketChannel client) throws IOException {
        return client.supportedOptions().contains(ExtendedSocketOptions.SO_PEERCRED)
                ? client.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName()
                : "somebody unknown";
    }

    private static String readLine(SocketChannel client) throws IOException {
        ByteBuffer line = ByteBuffer.allocate(LONGEST_COMMAND);
        while (line.hasRemaining() && client.read(line) >= 0) {
            if (line.position() > 0 && line.get(line.position() - 1) == '\n') {
                break;
            }
        }
        return new String(line.array(), 0, line.position(), StandardCharsets.UTF_8).strip();
    }

    @Override
    public void close() {
        try {
            channel.close();
            Files.deleteIfExists(path);
        } catch (IOException e) {
            LOG.warn("The control socket {} could not be removed: {}", path, e.getMessage());
        }
        clients.shutdownNow();
    }
}
