package io.carillon.it.attack;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bytes on connections at a steady rate; a connection that the server closed is opened again. Of
 * TLS it speaks what can be recorded beforehand: {@link SecureFlood} does the rest.
 */
class StreamFlood extends Attack {
    private static final int SOURCES = 5;
    private static final int READ = 65_536;

    private final byte[] opening;
    private final int perSecond;
    private final int messagesPerConnection;
    private final boolean reset;
    private final List<Template> templates;

    /**
     * @param opening sent first on each connection
     * @param messagesPerConnection after which the attacker closes; 0: it does not
     * @param reset whether it closes by a reset
     */
    StreamFlood(
            String id,
            String what,
            Door door,
            byte[] opening,
            int perSecond,
            int messagesPerConnection,
            boolean reset,
            List<Template> templates) {
        super(id, what, door);
        this.opening = opening.clone();
        this.perSecond = perSecond;
        this.messagesPerConnection = messagesPerConnection;
        this.reset = reset;
        this.templates = List.copyOf(templates);
    }

    @Override
    long run(Target target, long untilNanos) throws IOException {
        int sent = 0;
        int connections = 0;
        int onThis = 0;
        ByteBuffer answers = ByteBuffer.allocateDirect(READ);
        SocketChannel channel = null;
        try {
            Pace pace = new Pace(perSecond, untilNanos);
            for (int due = pace.due(); due >= 0; due = pace.due()) {
                for (int i = 0; i < due; i++) {
                    if (channel == null) {
                        channel = open(target, connections++, answers);
                        onThis = 0;
                    }
                    byte[] bytes = templates.get(sent % templates.size()).next(sent);
                    boolean alive = channel != null && write(channel, bytes, answers);
                    sent++;
                    onThis++;
                    if (!alive || onThis == messagesPerConnection) {
                        close(channel);
                        channel = null;
                    }
                }
            }
            return sent;
        } finally {
            close(channel);
        }
    }

    private @Nullable SocketChannel open(Target target, int number, ByteBuffer answers)
            throws IOException {
        try {
            SocketChannel channel = target.connection(number % SOURCES, door());
            if (opening.length > 0 && !write(channel, opening, answers)) {
                channel.close();
                return null;
            }
            return channel;
        } catch (ConnectException refused) {
            return null; // what the server does to an attacker
        }
    }

    /** What the peer does not take at once is thrown away; false: it has closed. */
    private static boolean write(SocketChannel channel, byte[] bytes, ByteBuffer answers) {
        try {
            channel.write(ByteBuffer.wrap(bytes));
            answers.clear();
            return channel.read(answers) >= 0;
        } catch (IOException closedByServer) {
            return false;
        }
    }

    private void close(@Nullable SocketChannel channel) throws IOException {
        if (channel != null) {
            if (reset && channel.isOpen()) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
            channel.close();
        }
    }
}
