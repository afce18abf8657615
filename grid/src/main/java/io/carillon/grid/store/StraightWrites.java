package io.carillon.grid.store;

import io.carillon.cluster.bytes.Packer;
import io.carillon.cluster.bytes.Unpacker;
import io.carillon.grid.link.StoreMessages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.infinispan.remoting.transport.Address;
import org.jgroups.util.ExtendedUUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a batch straight into the memory of the nodes that hold it, past Infinispan's commands,
 * which cost some times as much. Whatever is not certain is written by Infinispan, once more.
 *
 * <p>A batch was written when each holder has it in the topology of the sender, before that one
 * ended on any of them: so it is in what a later holder is given. For this a holder compares the
 * topology before it stores and after, and the sender when the answers are there. While copies
 * move, those who will hold it are holders too: what comes to them from the others is older, and
 * does not replace it.
 *
 * <p>Any thread; nothing waits. Bounded by the writer, who bounds what is under way.
 */
final class StraightWrites implements StoreMessages.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(StraightWrites.class);
    private static final int BATCH = 1;
    private static final int STORED = 2;
    private static final int REFUSED = 3;

    /** A holder that has not answered for so long may not have it. */
    private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Of a batch's begin, and of each value. */
    private static final int ROOM = 48;

    private static final int MOST_STATES = 1 << 16;
    private static final int MOST_VALUE = StoreMessages.MOST_BYTES;
    private static final int MOST_KEY = 1024;

    private final Supplier<Topology> topology;
    private final Memory memory;
    private final Wire wire;
    private final LongSupplier clock;
    private final Map<Long, Asked> asked = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private final LongAdder straight = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private volatile Map<Address, ExtendedUUID> members = Map.of();
    private volatile boolean closed;

    /** Who holds what. Immutable; another one has another number. */
    interface Topology {
        int number();

        /** May be written by it? Not while halves of a divided grid are compared. */
        boolean settled();

        boolean has(Address member);

        Address own();

        /** Those who hold a partition and those who will. */
        Set<Address> holders(int partition);
    }

    /** What lies on this node. */
    interface Memory {
        /** Makes a change; false where that segment is not held here, or Infinispan writes it. */
        boolean store(int segment, String key, Change change, byte[] value);
    }

    /** To the other nodes. Waits for nothing. */
    interface Wire {
        /** Does that member take such messages, as far as is known? */
        boolean takes(ExtendedUUID member);

        void send(ExtendedUUID member, byte[] content);
    }

    /** A batch of which holders have not answered yet. */
    private static final class Asked {
        final CompletableFuture<Boolean> stored = new CompletableFuture<>();
        final Set<ExtendedUUID> missing;
        final long atNanos;

        Asked(Set<ExtendedUUID> holders, long now) {
            missing = holders;
            atNanos = now;
        }

        /** True when that was the last one. */
        synchronized boolean has(ExtendedUUID holder) {
            return missing.remove(holder) && missing.isEmpty();
        }

        synchronized boolean waitsForOtherThan(Set<ExtendedUUID> here) {
            return !here.containsAll(missing);
        }
    }

    /**
     * @param topology as this node sees it now
     * @param memory of this node
     * @param wire to the others; what comes by it is told to {@link #came} and {@link #view}
     * @param clock nanoseconds
     */
    StraightWrites(Supplier<Topology> topology, Memory memory, Wire wire, LongSupplier clock) {
        this.topology = topology;
        this.memory = memory;
        this.wire = wire;
        this.clock = clock;
    }

    /** Batches that all their holders have got this way. */
    long straight() {
        return straight.sum();
    }

    /** Batches that were tried this way, and had to go by Infinispan. */
    long refused() {
        return refused.sum();
    }

    /**
     * Writes, if that can be done.
     *
     * @param batch with the same holders
     * @return true in the end when each holder has it; false when some may not; null where it was
     *     not tried
     */
    @Nullable CompletionStage<Boolean> write(Change change, Map<String, byte[]> batch) {
        Topology now = topology.get();
        Set<Address> holders = now.settled() && !closed ? holders(now, batch.keySet()) : Set.of();
        Set<ExtendedUUID> others = holders.isEmpty() ? null : others(holders, now.own());
        if (others == null) {
            return null;
        }
        Asked open = new Asked(others, clock.getAsLong());
        long number = numbers.incrementAndGet();
        byte[] content = content(number, now.number(), change, batch);
        if (content.length > StoreMessages.MOST_BYTES || isTooLong(batch.keySet())) {
            return null;
        }
        List<ExtendedUUID> all = List.copyOf(others);
        asked.put(number, open);
        if (!all.stream().allMatch(holder -> send(holder, content))) {
            ended(number, open, false);
        }
        boolean own = !holders.contains(now.own()) || store(now, change, batch);
        if (all.isEmpty() || closed) {
            ended(number, open, !closed);
        }
        return open.stored.thenApply(stored -> certain(stored && own, now));
    }

    private boolean certain(boolean stored, Topology before) {
        boolean certain = stored && isNow(before.number());
        (certain ? straight : refused).increment();
        return certain;
    }

    private static boolean isTooLong(Set<String> keys) {
        // A letter is three bytes at most.
        return keys.stream().anyMatch(key -> key.length() > MOST_KEY / 3);
    }

    /** False when it was not sent: then Infinispan writes, and says what is wrong. */
    private boolean send(ExtendedUUID holder, byte[] content) {
        try {
            wire.send(holder, content);
            return true;
        } catch (RuntimeException e) {
            LOG.debug("Nothing was sent to {}", holder, e);
            return false;
        }
    }

    /** Of all these keys; empty where they are not the same, or one has none. */
    private static Set<Address> holders(Topology topology, Set<String> keys) {
        Set<Address> holders = Set.of();
        for (String key : keys) {
            Set<Address> these = topology.holders(Stored.partition(key));
            if (these.isEmpty() || (!holders.isEmpty() && !holders.equals(these))) {
                return Set.of();
            }
            holders = these;
        }
        return holders;
    }

    /** Null when one of them cannot be written to. */
    private @Nullable Set<ExtendedUUID> others(Set<Address> holders, Address own) {
        Set<ExtendedUUID> others = new HashSet<>();
        for (Address holder : holders) {
            if (!holder.equals(own)) {
                ExtendedUUID member = members.get(holder);
                if (member == null || !wire.takes(member)) {
                    return null;
                }
                others.add(member);
            }
        }
        return others;
    }

    private static byte[] content(
            long number, int topology, Change change, Map<String, byte[]> batch) {
        int room = ROOM;
        for (byte[] value : batch.values()) {
            room += ROOM + value.length;
        }
        Packer content = StoreMessages.content(room).octet(BATCH).number(number).number(topology);
        content.octet(change.code()).number(batch.size());
        batch.forEach((key, value) -> content.text(key).content(value));
        return content.toBytes();
    }

    // ---- a holder ----

    @Override
    public void came(org.jgroups.Address from, Unpacker content, boolean steady) {
        if (!(from instanceof ExtendedUUID sender)) {
            return;
        }
        try {
            int kind = content.octet();
            long number = content.number();
            if (kind == BATCH) {
                int answer = REFUSED;
                try {
                    boolean stored = steady && stored(Address.fromExtendedUUID(sender), content);
                    answer = stored ? STORED : REFUSED;
                } finally {
                    // Where that fails the sender waits for a second, and has Infinispan write.
                    var _ = send(sender, answer(answer, number));
                }
            } else {
                answered(sender, kind, number);
            }
        } catch (IllegalArgumentException e) {
            LOG.warn("What {} sent to be stored cannot be read: {}", from, e.getMessage());
        }
    }

    private static byte[] answer(int answer, long number) {
        return StoreMessages.content(0).octet(answer).number(number).toBytes();
    }

    private boolean stored(Address sender, Unpacker content) {
        int number = content.upTo(Integer.MAX_VALUE);
        Change change = Change.of(content.octet());
        int count = content.upTo(MOST_STATES);
        Map<String, byte[]> batch = HashMap.newHashMap(count);
        for (int i = 0; i < count; i++) {
            String key = content.text(MOST_KEY);
            byte[] value = content.content(MOST_VALUE);
            Stored.check(key, value);
            batch.put(key, value);
        }
        content.end();
        Topology now = topology.get();
        return now.number() == number
                && now.settled()
                && now.has(sender)
                && store(now, change, batch)
                && isNow(number);
    }

    /** False when this node does not hold all of these. */
    private boolean store(Topology now, Change change, Map<String, byte[]> batch) {
        boolean all = true;
        for (Map.Entry<String, byte[]> each : batch.entrySet()) {
            int segment = Stored.partition(each.getKey());
            all &=
                    now.holders(segment).contains(now.own())
                            && memory.store(segment, each.getKey(), change, each.getValue());
        }
        return all;
    }

    // ---- answers ----

    private void answered(ExtendedUUID holder, int answer, long number) {
        Asked open = asked.get(number);
        if (open == null) {
            return;
        }
        if (answer != STORED) {
            ended(number, open, false);
        } else if (open.has(holder)) {
            ended(number, open, true);
        }
    }

    private void ended(long number, Asked open, boolean stored) {
        asked.remove(number);
        open.stored.complete(stored);
    }

    @Override
    public void view(Set<org.jgroups.Address> here) {
        Map<Address, ExtendedUUID> now = new HashMap<>();
        for (org.jgroups.Address each : here) {
            if (each instanceof ExtendedUUID member) {
                now.put(Address.fromExtendedUUID(member), member);
            }
        }
        members = Map.copyOf(now);
        Set<ExtendedUUID> living = Set.copyOf(now.values());
        giveUp(open -> open.waitsForOtherThan(living));
    }

    /** Looks for those that have waited for too long. Called now and then. */
    void look() {
        long now = clock.getAsLong();
        giveUp(open -> now - open.atNanos >= ANSWER_NANOS);
    }

    /** Nothing is answered any more. */
    void close() {
        closed = true;
        giveUp(open -> true);
    }

    private void giveUp(Predicate<Asked> which) {
        new ArrayList<>(asked.entrySet())
                .forEach(each -> {
                    if (which.test(each.getValue())) {
                        ended(each.getKey(), each.getValue(), false);
                    }
                });
    }

    private boolean isNow(int number) {
        return topology.get().number() == number;
    }
}
