package io.carillon.server.cluster;

import io.carillon.sip.shard.Shard;
import io.carillon.sip.shard.ShardWork;
import io.carillon.sip.token.Ownership;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * In which partitions something is under way that would be lost with this node: looked for on all
 * event loops while somebody asks, one look at a time.
 *
 * <p>One thread, the cluster's, but for the looks themselves.
 */
final class WorkUnderWay {
    private final List<Shard> shards;
    private final LongSupplier clock;
    private volatile @Nullable Look last;
    private boolean asked;
    private @Nullable Look under;

    /**
     * What one look has found.
     *
     * @param beganAt by the node's clock
     */
    private record Look(long beganAt, BitSet found, AtomicInteger left) {}

    /**
     * @param clock the node's
     */
    WorkUnderWay(List<Shard> shards, LongSupplier clock) {
        this.shards = List.copyOf(shards);
        this.clock = clock;
    }

    /** Has a look that began after that found nothing in the partition? */
    boolean quiet(int partition, long since) {
        Look known = last;
        asked = true;
        return known != null && known.beganAt() - since > 0 && !known.found().get(partition);
    }

    /** Begins a look where one is asked for. */
    void tick() {
        Look running = under;
        if (!asked || (running != null && running.left().get() > 0)) {
            return;
        }
        asked = false;
        Look next =
                new Look(
                        clock.getAsLong(),
                        new BitSet(Ownership.PARTITIONS),
                        new AtomicInteger(shards.size()));
        under = next;
        for (Shard shard : shards) {
            shard.executor().execute(() -> look(shard, next));
        }
    }

    private void look(Shard shard, Look next) {
        BitSet own = new BitSet(Ownership.PARTITIONS);
        ShardWork.underWay(shard, own);
        synchronized (next.found()) {
            next.found().or(own);
        }
        if (next.left().decrementAndGet() == 0) {
            last = next;
        }
    }
}
