package io.carillon.server.warmup;

import io.carillon.net.Network;
import io.carillon.servlet.SipContainer;
import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.app.LoopUse;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.adopt.Adoption;
import io.carillon.servlet.feature.protect.CallProtection;
import io.carillon.servlet.feature.protect.CallRecordWriter;
import io.carillon.servlet.feature.protect.ProtectionSettings;
import io.carillon.servlet.kernel.CallPartition;
import io.carillon.servlet.threads.ApplicationThreads;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.token.ClusterKeys;
import io.carillon.sip.token.ClusterPlace;
import io.carillon.sip.token.Ownership;
import io.carillon.sip.token.RandomSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
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

    /** Until the event loop has dropped the calls of partitions that are lost. */
    private static final long DROPPED_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final WarmUpStore store;
    private final Adoption adoption;
    private final Terms terms;

    private WarmUpTakeOver(WarmUpStore store, Adoption adoption, Terms terms) {
        this.store = store;
        this.adoption = adoption;
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
        Path work = Files.createTempDirectory("carillon-warm-up");
        try (ApplicationThreads threads = ApplicationThreads.virtual();
                WarmUpStore store = new WarmUpStore()) {
            Terms terms = new Terms();
            CallProtection protection =
                    new CallProtection(
                            store,
                            terms,
                            CallPartition::of,
                            new CallRecordWriter(0),
                            ProtectionSettings.DEFAULT);
            SipContainer container =
                    new SipContainer(
                            ContainerConfig.defaults().withWorkFolder(work), threads, protection);
            try (Network network = WarmUp.bind(container, stack(terms))) {
                WarmUpTakeOver node = new WarmUpTakeOver(store, container.takeOver(store), terms);
                container.start(network.shards());
                try {
                    Application deployed =
                            container.deploy(WarmUp.application(ExecutionMode.NON_BLOCKING));
                    deployed.parts().put(LoopUse.SLOT, LoopUse.ofServer(deployed.name()));
                    network.receive();
                    return node.calls(network.port(Transport.UDP), calls, deadlineNanos);
                } finally {
                    container.close();
                }
            }
        } finally {
            Files.delete(work); // an application described in code leaves nothing in it
        }
    }

    private static StackConfig stack(Ownership ownership) {
        RandomSource random = RandomSource.secure();
        ClusterKeys keys = ClusterKeys.of(random.nextLong(), random.nextLong());
        return StackConfig.builder()
                .cluster(new ClusterPlace(0, keys, ownership, 1, System::nanoTime))
                .build();
    }

    private int calls(int port, int calls, long deadlineNanos) throws IOException {
        try (WarmUpCalls peer = new WarmUpCalls(new InetSocketAddress("127.0.0.1", port))) {
            while (adoption.adopted() < calls && System.nanoTime() - deadlineNanos < 0) {
                peer.runHeld(this::takeOver);
            }
            return (int) Math.min(adoption.adopted(), peer.ended());
        }
    }

    private void takeOver() {
        LockSupport.parkNanos(WRITTEN_NANOS);
        BitSet all = new BitSet();
        all.set(0, Ownership.PARTITIONS);
        terms.owned = false;
        adoption.lost(all);
        // The event loop drops them; what came before that would end the calls that are known.
        LockSupport.parkNanos(DROPPED_NANOS);
        long term = terms.term + 1;
        terms.term = term;
        terms.owned = true;
        for (int partition : store.partitions()) {
            adoption.promoted(partition, term);
        }
    }
}
