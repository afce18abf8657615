package io.carillon.net.shard;

import java.util.Arrays;

/**
 * The sockets that were written to in a round of a loop; each is flushed once at its end, those of
 * datagrams also before. Grows to the most that were written to in one round. Owner: the loop's
 * thread.
 */
final class WrittenSockets {
    private final Sockets streams = new Sockets();
    private final Sockets datagrams = new Sockets();

    /** Those of one kind. */
    private static final class Sockets {
        private static final BatchedOutput NOTHING = () -> {};

        private BatchedOutput[] sockets = new BatchedOutput[16];
        private int count;

        void add(BatchedOutput socket) {
            if (count == sockets.length) {
                sockets = Arrays.copyOf(sockets, count * 2);
            }
            sockets[count++] = socket;
        }

        void flush(ShardLoop loop) {
            // A flush may fail a message, and its report may write to another socket: the array
            // may grow meanwhile.
            for (int i = 0; i < count; i++) {
                BatchedOutput socket = sockets[i];
                try {
                    socket.flushBatch();
                } catch (Throwable t) {
                    loop.fault("flushing a socket of shard " + loop.index() + " failed", t);
                }
            }
            Arrays.fill(sockets, 0, count, NOTHING);
            count = 0;
        }
    }

    void add(BatchedOutput socket) {
        (socket.datagrams() ? datagrams : streams).add(socket);
    }

    /** Flushes them; a fault of one is the loop's, and the others are flushed all the same. */
    void flush(ShardLoop loop) {
        streams.flush(loop);
        // Behind the streams: what one of them reports may have been answered by a datagram.
        datagrams.flush(loop);
    }

    /** Those of datagrams alone. */
    void flushDatagrams(ShardLoop loop) {
        datagrams.flush(loop);
    }
}
