package io.carillon.server.cluster;

import io.carillon.cluster.member.MemberState;
import io.carillon.cluster.node.ClusterNode;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leave of a node that was told to: it waits until its partitions are with others, and then in
 * the grid until their records have two holders. On the thread that stops the server.
 */
final class NodeLeave {
    private static final Logger LOG = LoggerFactory.getLogger(NodeLeave.class);

    private static final long LOOK_MILLIS = 50;

    /** Without a majority for so long there is nobody to give partitions to. */
    private static final long MAJORITY_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** Some thousand records are copied in a second or two; others may be gone for good. */
    private static final long COPIES_SECONDS = 20;

    private final ClusterNode node;
    private final LongSupplier clock;
    private final BooleanSupplier othersTakeCalls;
    private final IntSupplier withoutCopy;

    /**
     * @param clock of the node, nanoseconds
     * @param withoutCopy partitions of which fewer than two nodes have a copy
     */
    NodeLeave(
            ClusterNode node,
            LongSupplier clock,
            BooleanSupplier othersTakeCalls,
            IntSupplier withoutCopy) {
        this.node = node;
        this.clock = clock;
        this.othersTakeCalls = othersTakeCalls;
        this.withoutCopy = withoutCopy;
    }

    /**
     * @param unnoticedNanos how long a node may be dead before the others know
     * @return are all partitions with others?
     */
    boolean within(long seconds, long unnoticedNanos) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        long heldNanos = System.nanoTime();
        while (node.state() != MemberState.GONE && System.nanoTime() < end) {
            Thread.sleep(LOOK_MILLIS);
            heldNanos = node.holds(clock.getAsLong()) ? System.nanoTime() : heldNanos;
            if (!othersTakeCalls.getAsBoolean() || System.nanoTime() - heldNanos > MAJORITY_NANOS) {
                return false;
            }
        }
        boolean given = node.state() == MemberState.GONE;
        if (given) {
            long patience = TimeUnit.SECONDS.toNanos(COPIES_SECONDS);
            awaitCopies(
                    new LastCopies(unnoticedNanos), Math.min(end, System.nanoTime() + patience));
        }
        return given;
    }

    private void awaitCopies(LastCopies copies, long endNanos) throws InterruptedException {
        int missing = withoutCopy.getAsInt();
        while (!copies.mayGo(missing, System.nanoTime())) {
            if (System.nanoTime() - endNanos > 0) {
                LOG.warn(
                        "Of {} partitions fewer than two nodes have a copy, and this node goes:"
                                + " calls may be lost",
                        missing);
                return;
            }
            Thread.sleep(LOOK_MILLIS);
            missing = withoutCopy.getAsInt();
        }
    }
}
