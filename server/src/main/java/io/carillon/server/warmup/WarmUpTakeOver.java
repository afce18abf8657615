package io.carillon.server.warmup;

import io.carillon.servlet.SipContainer;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.feature.adopt.Adoption;
import io.carillon.servlet.feature.protect.CallProtection;
import io.carillon.servlet.feature.protect.CallRecordWriter;
import io.carillon.servlet.feature.protect.ProtectionSettings;
import io.carillon.servlet.kernel.CallPartition;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.token.ClusterKeys;
import io.carillon.sip.token.ClusterPlace;
import io.carillon.sip.token.Ownership;
import io.carillon.sip.token.RandomSource;
import java.io.IOException;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Calls that are taken over again and again, before the server is a node: a container of its own
 * loses all its partitions and becomes their owner again, as the next owner does when a node has
 * died. Nothing else uses that code, so it would be run for the first time when a node is gone, for
 * all its calls within some seconds and on processors that have more to do than ever.
 */
final class WarmUpTakeOver {
    /** Until what the ACKs have changed is in the records. */
    private static final long WRITTEN_NANOS = TimeUnit.MILLISECONDS.toNanos(15);

    /** The event loop has dropped the calls of partitions that are lost long before. */
    private static final long DROPPED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private final WarmUpStore store;
    private final SipContainer container;
    private final Adoption adoption;
    private final Terms terms;

    private WarmUpTakeOver(WarmUpStore store, SipContainer container, Terms terms) {
        this.store = store;
        this.container = container;
        this.adoption = container.takeOver(store);
        this.terms = terms;
    }

    /** All partitions or none, in a term that rises. */
    private static final class Terms implements Ownership {
        private volatile long term = 1;
        private volatile boolean owned = true;

        @Override
        public boolean owns(int partition) {
            return owned;
        }

        @Override
        public long term(int partition) {
            return term;
        }
    }

    /**
     * Takes calls over.
     *
     * @param calls so many, or somewhat more
     * @return how many were taken over and ended well
     */
    static int run(int calls, long deadlineNanos) throws DeploymentException, IOException {
        try (WarmUpStore store = new WarmUpStore()) {
            Terms terms = new Terms();
            CallProtection protection =
                    new CallProtection(
                            store,
                            terms,
                            CallPartition::of,
                            new CallRecordWriter(0),
                            ProtectionSettings.DEFAULT);
            return WarmUpServer.run(
                    protection,
                    stack(terms),
                    ExecutionMode.NON_BLOCKING,
                    container -> {
                        WarmUpTakeOver node = new WarmUpTakeOver(store, container, terms);
                        return peer -> node.calls(peer, calls, deadlineNanos);
                    });
        }
    }

    private static StackConfig stack(Ownership ownership) {
        RandomSource random = RandomSource.secure();
        ClusterKeys keys = ClusterKeys.of(random.nextLong(), random.nextLong());
        return StackConfig.builder()
                .cluster(new ClusterPlace(0, keys, ownership, 1, System::nanoTime))
                .build();
    }

    private int calls(WarmUpCalls peer, int calls, long deadlineNanos) throws IOException {
        while (adoption.adopted() < calls && System.nanoTime() - deadlineNanos < 0) {
            peer.runHeld(this::takeOver);
        }
        return (int) Math.min(adoption.adopted(), peer.ended());
    }

    private void takeOver() {
        LockSupport.parkNanos(WRITTEN_NANOS);
        BitSet all = new BitSet();
        all.set(0, Ownership.PARTITIONS);
        terms.owned = false;
        adoption.lost(all);
        awaitDropped();
        long term = terms.term + 1;
        terms.term = term;
        terms.owned = true;
        for (int partition : store.partitions()) {
            adoption.promoted(partition, term);
        }
    }

    /** A call that is still here would answer, and then go without its record. */
    private void awaitDropped() {
        long end = System.nanoTime() + DROPPED_NANOS;
        while (!container.sessions().all().isEmpty() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
