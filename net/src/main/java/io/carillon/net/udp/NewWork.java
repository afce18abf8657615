package io.carillon.net.udp;

import io.carillon.sip.hop.Hop;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Received requests that begin something and wait while new work is shed, behind what is under way.
 * The kernel's queue knows no difference: there a BYE waits for as long as the INVITEs before it,
 * and the answer to it once more.
 *
 * <p>Nothing is dropped here: where there is no more room, the oldest is served.
 *
 * <p>Owner: the loop of the socket. Memory: {@value #MOST} datagrams and {@code mostBytes} at most,
 * each until it is served.
 */
final class NewWork {
    static final int MOST = 4096;

    private final Taker taker;
    private final long mostBytes;
    private byte[] @Nullable [] messages = {};
    private @Nullable Hop[] origins = {};
    private long[] cameNanos = {};
    private int first;
    private int count;
    private long bytes;

    /** Who serves them. */
    interface Taker {
        /**
         * Serves one.
         *
         * @param cameNanos when it came to the socket, by {@link System#nanoTime}
         */
        void take(byte[] message, Hop from, long cameNanos);
    }

    /**
     * @param mostBytes that may wait
     */
    NewWork(long mostBytes, Taker taker) {
        this.mostBytes = mostBytes;
        this.taker = taker;
    }

    /** Does any wait? */
    boolean waits() {
        return count > 0;
    }

    /** One has come. Serves the oldest where there is no room for it. */
    void add(byte[] message, Hop from, long came) {
        if (messages.length == 0) {
            messages = new byte[MOST][];
            origins = new @Nullable Hop[MOST];
            cameNanos = new long[MOST];
        }
        while (count > 0 && (count == MOST || bytes + message.length > mostBytes)) {
            serveOne();
        }
        int at = (first + count) % MOST;
        messages[at] = message;
        origins[at] = from;
        cameNanos[at] = came;
        bytes += message.length;
        count++;
    }

    /** Serves so many, the oldest first. */
    void serve(int most) {
        for (int i = 0; i < most && count > 0; i++) {
            serveOne();
        }
    }

    private void serveOne() {
        int at = first;
        byte[] message = Objects.requireNonNull(messages[at]);
        Hop from = Objects.requireNonNull(origins[at]);
        messages[at] = null;
        origins[at] = null;
        first = (first + 1) % MOST;
        count--;
        bytes -= message.length;
        taker.take(message, from, cameNanos[at]);
    }
}
