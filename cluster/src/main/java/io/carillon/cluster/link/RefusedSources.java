package io.carillon.cluster.link;

import io.carillon.sip.guard.SourceKey;
import java.util.concurrent.TimeUnit;

/**
 * Sources whose datagrams this node has dropped lately: of one that goes on sending, the router is
 * told, so that it drops them itself for a moment ({@link FlowAct#UNHEARD}). One report in {@value
 * #ENOUGH} dropped datagrams, so what is told costs little beside what comes. A table of fixed
 * size: of two sources that meet in a row the later one is counted anew.
 *
 * <p>Owner: one thread.
 */
final class RefusedSources {
    /** So many within {@link #WINDOW_NANOS} are a flood, no burst of a source at its limit. */
    static final int ENOUGH = 32;

    static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int ROWS = 1024;

    private final long[] sources = new long[ROWS];
    private final long[] sinceNanos = new long[ROWS];
    private final int[] counts = new int[ROWS];

    /** One more was dropped; true when its router has to be told. */
    boolean floods(long source, long nowNanos) {
        int row = (int) SourceKey.mix(source) & ROWS - 1;
        if (sources[row] != source || nowNanos - sinceNanos[row] > WINDOW_NANOS) {
            sources[row] = source;
            sinceNanos[row] = nowNanos;
            counts[row] = 0;
        }
        if (++counts[row] < ENOUGH) {
            return false;
        }
        counts[row] = 0;
        return true;
    }
}
