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

    /** What it looks at. */
    interface Member {
        MemberState state();

        /** Has a majority answered within the lease? */
        boolean holds();

        /** Is there a node that partitions can be given to? */
        boolean othersTakeCalls();

        /** Partitions of which fewer than two nodes have a copy. */
        int withoutCopy();
    }

    /** Waits. */
    interface Pause {
        void millis(long millis) throws InterruptedException;
    }

    private final Member member;
    private final LongSupplier nanos;
    private final Pause pause;

    /**
     * Of this server's node, in true time.
     *
     * @param clock of the node, nanoseconds
     */
    static NodeLeave of(
            ClusterNode node, LongSupplier clock, BooleanSupplier others, IntSupplier missing) {
        Member member =
                new Member() {
                    @Override
                    public MemberState state() {
                        return node.state();
                    }

                    @Override
                    public boolean holds() {
                        return node.holds(clock.getAsLong());
                    }

                    @Override
                    public boolean othersTakeCalls() {
                        return others.getAsBoolean();
                    }

                    @Override
                    public int withoutCopy() {
                        return missing.getAsInt();
                    }
                };
        return new NodeLeave(member, System::nanoTime, Thread::sleep);
    }

    NodeLeave(Member member, LongSupplier nanos, Pause pause) {
        this.member = member;
        this.nanos = nanos;
        this.pause = pause;
    }

    /**
     * @param unnoticedNanos how long a node may be dead before the others know
     * @return are all partitions with others?
     */
    boolean within(long seconds, long unnoticedNanos) throws InterruptedException {
        long end = nanos.getAsLong() + TimeUnit.SECONDS.toNanos(seconds);
        long heldNanos = nanos.getAsLong();
        while (member.state() != MemberState.GONE && nanos.getAsLong() < end) {
            pause.millis(LOOK_MILLIS);
            heldNanos = member.holds() ? nanos.getAsLong() : heldNanos;
            if (!member.othersTakeCalls() || nanos.getAsLong() - heldNanos > MAJORITY_NANOS) {
                return false;
            }
        }
        boolean given = member.state() == MemberState.GONE;
        if (given) {
            long patience = TimeUnit.SECONDS.toNanos(COPIES_SECONDS);
            awaitCopies(
                    new LastCopies(unnoticedNanos), Math.min(end, nanos.getAsLong() + patience));
        }
        return given;
    }

    private void awaitCopies(LastCopies copies, long endNanos) throws InterruptedException {
        int missing = member.withoutCopy();
        while (!copies.mayGo(missing, nanos.getAsLong())) {
            if (nanos.getAsLong() - endNanos > 0) {
                LOG.warn(
                        "Of {} partitions fewer than two nodes have a copy, and this node goes:"
                                + " calls may be lost",
                        missing);
                return;
            }
            pause.millis(LOOK_MILLIS);
            missing = member.withoutCopy();
        }
    }
}
