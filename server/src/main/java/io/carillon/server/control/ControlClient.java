package io.carillon.server.control;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The client's end of the control socket. */
public final class ControlClient {
    private ControlClient() {}

    /** Whether a server listens at the other end. */
    public static boolean answers(Path socket) {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            return channel.isConnected();
        } catch (IOException e) {
            return false; // nobody listens: that is the answer
        }
    }

    /** The sockets of running servers. */
    public static List<Path> running(ControlFolder folder) throws IOException {
        List<Path> running = new ArrayList<>();
        for (Path socket : folder.sockets()) {
            if (answers(socket)) {
                running.add(socket);
            }
        }
        return running;
    }

    /**
     * Sends a command with its argument, of one line, and waits for its whole answer.
     *
     * @throws IOException when the server is gone or refuses the command; the message says why
     */
    public static String ask(Path socket, String command, String argument) throws IOException {
        if (argument.indexOf('\n') >= 0) {
            throw new IOException("an argument has one line");
        }
        return ask(socket, command + " " + argument);
    }

    /**
     * Sends a command and waits for its whole answer.
     *
     * @throws IOException when the server is gone or refuses the command; the message says why
     */
    public static String ask(Path socket, String command) throws IOException {
        String answer;
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            ByteBuffer line = ByteBuffer.wrap((command + "\n").getBytes(StandardCharsets.UTF_8));
            while (line.hasRemaining()) {
                channel.write(line);
            }
            answer = readAll(channel);
        }
        if (answer.startsWith("OK\n")) {
            return answer.substring(3);
        }
        if (answer.startsWith("ERROR ")) {
            throw new IOException(answer.substring("ERROR ".length()).strip());
        }
        throw new IOException("the server ended without an answer");
    }

    private static String readAll(SocketChannel channel) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer part = ByteBuffer.allocate(8192);
        while (channel.read(part) >= 0) {
            all.write(part.array(), 0, part.position());
            part.clear();
        }
        return all.toString(StandardCharsets.UTF_8);
    }
}
