package io.carillon.servlet.port;

import io.carillon.sip.overload.OverloadState;
import io.carillon.sip.overload.Waiting;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.shard.ShardWork;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The shards of the stack, and on which of them something begins. Any thread. */
public final class ContainerShards {
    private final AtomicInteger next = new AtomicInteger();
    private volatile Shard[] shards = new Shard[0];

    /** Before the first message. */
    public void start(List<Shard> all) {
        shards = all.toArray(new Shard[0]);
    }

    /** The shard whose thread this is; null on every other thread. */
    private @Nullable Shard current() {
        for (Shard shard : shards) {
            if (shard.executor().inShard()) {
                return shard;
            }
        }
        return null;
    }

    /** The shard of a partition of the cluster: its number modulo how many there are. */
    public Shard ofPartition(int partition) {
        Shard[] all = shards;
        if (all.length == 0) {
            throw new IllegalStateException("the container has not been started");
        }
        return all[partition % all.length];
    }

    /** These partitions are another node's: nothing of what is under way in them may act later. */
    public void dropAll(BitSet partitions) {
        for (Shard shard : shards) {
            shard.perform(() -> ShardWork.drop(shard, partitions));
        }
    }

    /**
     * How long messages waited of late before an event loop looked at them, of the loop where they
     * waited longest, in nanoseconds; 0 where they wait longer for something else.
     */
    public long delayNanos() {
        long longest = 0;
        for (Shard shard : shards) {
            OverloadState state = shard.overload().state();
            if (state.where() == Waiting.SOCKET || state.where() == Waiting.LOOP) {
                longest = Math.max(longest, state.delayNanos());
            }
        }
        return longest;
    }

    /** Is the calling thread an event loop of ours? */
    public boolean inShard() {
        return current() != null;
    }

    /** Where a request of a session begins: here, when the caller is on a shard, else at home. */
    public Shard of(Shard home) {
        if (home.executor().inShard()) {
            return home;
        }
        Shard current = current();
        return current != null ? current : home;
    }

    /**
     * A shard for an application session that no message brought: the caller's own, or the next in
     * turn.
     */
    public Shard some() {
        Shard current = current();
        if (current != null) {
            return current;
        }
        Shard[] all = shards;
        if (all.length == 0) {
            throw new IllegalStateException("the container has not been started");
        }
        return all[Math.floorMod(next.getAndIncrement(), all.length)];
    }

    /**
     * As {@link #some}, for what begins here: in a cluster one that has partitions of this node.
     */
    public Shard beginning() {
        Shard first = some();
        Shard[] all = shards;
        for (int i = 0; i < all.length && !first.tokens().acts(); i++) {
            if (all[i].tokens().acts()) {
                return all[i];
            }
        }
        return first;
    }
}
