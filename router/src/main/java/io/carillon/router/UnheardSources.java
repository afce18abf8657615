package io.carillon.router;

import io.carillon.sip.guard.SourceKey;
import java.util.concurrent.TimeUnit;

/**
 * Sources of datagrams that a node drops faster than they are worth passing on. Nodes say who is
 * listened to: they know the trusted peers, the rates and the bans. The router takes their word for
 * a moment, and then lets some through again, so that a ban that was lifted is over here too. What
 * a node still takes of such a source it gets in between: its allowance fills again meanwhile.
 *
 * <p>A table of fixed size; one source takes the row of another, which is then passed on. Owner:
 * the router's loop.
 */
final class UnheardSources {
    static final long HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int ROWS = 4096;

    private final long[] sources = new long[ROWS];
    private final int[] nodes = new int[ROWS];
    private final long[] untilNanos = new long[ROWS];
    private long lastNanos;
    private boolean any;

    /** That node has said so. Others may listen: a source's address can be forged. */
    void add(long source, int node, long nowNanos) {
        int row = row(source, node);
        sources[row] = source;
        nodes[row] = node;
        lastNanos = nowNanos + HOLD_NANOS;
        untilNanos[row] = lastNanos;
        any = true;
    }

    /** Is there anybody at all? */
    boolean any(long nowNanos) {
        any = any && nowNanos - lastNanos < 0;
        return any;
    }

    boolean has(long source, int node, long nowNanos) {
        int row = row(source, node);
        return sources[row] == source && nodes[row] == node && nowNanos - untilNanos[row] < 0;
    }

    private static int row(long source, int node) {
        return (int) SourceKey.mix(source ^ (long) node << Integer.SIZE) & ROWS - 1;
    }
}
