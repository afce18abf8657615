package io.carillon.grid.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.bytes.Unpacker;
import io.carillon.servlet.port.CallStore.State;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.infinispan.remoting.transport.Address;
import org.jgroups.util.ExtendedUUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * When a batch that went past Infinispan counts as written: each node has a topology of its own,
 * and the test is wire and clock.
 */
class StraightRulesTest {
    private static final int PARTITION = 17;

    private final Queue<Runnable> flying = new ArrayDeque<>();
    private final Node first = new Node("first");
    private final Node second = new Node("second");
    private final Node third = new Node("third");
    private long now;
    private boolean steady = true;

    /** What a node sees of who holds what. */
    private record Seen(
            int number, boolean settled, Address own, Set<Address> all, Set<Address> holders)
            implements StraightWrites.Topology {
        @Override
        public boolean has(Address member) {
            return all.contains(member);
        }

        @Override
        public Set<Address> holders(int partition) {
            return holders;
        }
    }

    /** The same, but for a partition that nobody holds. */
    private record Without(Seen seen, int partition) implements StraightWrites.Topology {
        @Override
        public int number() {
            return seen.number();
        }

        @Override
        public boolean settled() {
            return seen.settled();
        }

        @Override
        public boolean has(Address member) {
            return seen.has(member);
        }

        @Override
        public Address own() {
            return seen.own();
        }

        @Override
        public Set<Address> holders(int of) {
            return of == partition ? Set.of() : seen.holders();
        }
    }

    private final class Node implements StraightWrites.Wire, StraightWrites.Memory {
        final Address address;
        final AtomicReference<Seen> seen = new AtomicReference<>();
        final Map<String, byte[]> stored = new HashMap<>();
        Runnable whileItStores = () -> {};
        boolean fromBefore;
        boolean wireFails;
        boolean hasSegment = true;
        int withoutHolder = -1;
        final StraightWrites writes = new StraightWrites(this::topology, this, this, () -> now);

        Node(String name) {
            address = Address.random(name);
        }

        private StraightWrites.Topology topology() {
            Seen now = seen.get();
            return withoutHolder < 0 ? now : new Without(now, withoutHolder);
        }

        ExtendedUUID member() {
            return Address.toExtendedUUID(address);
        }

        void sees(int number, Node... holders) {
            Set<Address> holding = new HashSet<>();
            for (Node holder : holders) {
                holding.add(holder.address);
            }
            Set<Address> all = Set.of(first.address, second.address, third.address);
            seen.set(new Seen(number, true, address, all, holding));
        }

        @Override
        public boolean takes(ExtendedUUID member) {
            return !node(member).fromBefore;
        }

        @Override
        public void send(ExtendedUUID member, byte[] content) {
            if (wireFails) {
                throw new IllegalStateException("as a channel that was closed does");
            }
            Node to = node(member);
            flying.add(() -> {
                Unpacker read = new Unpacker(content);
                read.octet(); // the kind of message, which is not the store's
                to.writes.came(member(), read, steady);
            });
        }

        @Override
        public boolean store(int segment, String key, Change change, byte[] value) {
            whileItStores.run();
            byte[] after = change.after(stored.get(key), value);
            if (hasSegment && after != null) {
                stored.put(key, after);
            } else if (hasSegment) {
                stored.remove(key);
            }
            return hasSegment;
        }
    }

    private Node node(ExtendedUUID member) {
        for (Node each : new Node[] {first, second, third}) {
            if (each.member().equals(member)) {
                return each;
            }
        }
        throw new AssertionError("nobody has that address");
    }

    @BeforeEach
    void allSeeTheSame() {
        for (Node each : new Node[] {first, second, third}) {
            each.sees(5, first, second);
            each.writes.view(Set.of(first.member(), second.member(), third.member()));
        }
    }

    private static Map<String, byte[]> batch(long term, long sequence) {
        State state = new State(PARTITION, "call", term, sequence, new byte[] {1});
        Map<String, byte[]> batch = new LinkedHashMap<>();
        batch.put(Stored.key(PARTITION, "call"), Stored.value(state));
        return batch;
    }

    private @Nullable CompletionStage<Boolean> begun() {
        return first.writes.write(Change.KEEP_LATER, batch(1, 1));
    }

    private void arrives() {
        while (!flying.isEmpty()) {
            flying.remove().run();
        }
    }

    /** Null while nobody knows. */
    private static @Nullable Boolean outcome(@Nullable CompletionStage<Boolean> written) {
        assertThat(written).as("it was tried").isNotNull();
        return written == null ? null : written.toCompletableFuture().getNow(null);
    }

    private @Nullable Boolean written() {
        CompletionStage<Boolean> written = begun();
        arrives();
        return outcome(written);
    }

    @Test
    void itIsWrittenWhenTheOtherHolderHasIt() {
        CompletionStage<Boolean> written = begun();
        assertThat(outcome(written)).isNull();
        arrives();
        assertThat(outcome(written)).isTrue();
        assertThat(first.stored).hasSize(1);
        assertThat(second.stored).hasSize(1);
        assertThat(third.stored).isEmpty();
        assertThat(first.writes.straight()).isEqualTo(1);
    }

    @Test
    void eachOfTwoOthersHasToHaveIt() {
        first.sees(5, second, third);
        second.sees(5, second, third);
        third.sees(5, second, third);
        CompletionStage<Boolean> written = begun();
        flying.remove().run();
        flying.remove().run();
        flying.remove().run();
        assertThat(outcome(written)).isNull();
        arrives();
        assertThat(outcome(written)).isTrue();
        assertThat(first.stored).as("it holds none").isEmpty();
    }

    /** Where copies lie later is not what the sender believes: a later holder may miss it. */
    @Test
    void itIsNotWhenTheHolderIsInAnotherTopology() {
        second.sees(6, first, second);
        assertThat(written()).isFalse();
        assertThat(first.writes.refused()).isEqualTo(1);
    }

    @Test
    void itIsNotWhenTheHoldersTopologyEndsWhileItStores() {
        second.whileItStores = () -> second.sees(6, second, third);
        assertThat(written()).isFalse();
    }

    @Test
    void itIsNotWhenTheSendersTopologyHasEndedMeanwhile() {
        CompletionStage<Boolean> written = begun();
        first.sees(6, first, third);
        arrives();
        assertThat(outcome(written)).isFalse();
    }

    /** It may have lain in a wire that was cut, and its call may be over: refused at once. */
    @Test
    void itIsNotWhereTheWireIsNotSteady() {
        steady = false;
        assertThat(written()).isFalse();
        assertThat(second.stored).isEmpty();
    }

    @Test
    void itIsNotWhereThePartitionIsNotHeldAfterAll() {
        second.hasSegment = false;
        assertThat(written()).isFalse();
        second.hasSegment = true;
        first.hasSegment = false;
        assertThat(written()).isFalse();
        first.hasSegment = true;
        second.sees(5, first, third);
        assertThat(written()).isFalse();
    }

    @Test
    void whoIsNotInTheHoldersTopologyWritesNothing() {
        Seen seen = second.seen.get();
        second.seen.set(new Seen(5, true, second.address, Set.of(second.address), seen.holders()));
        assertThat(written()).isFalse();
        assertThat(second.stored).isEmpty();
    }

    @Test
    void nothingIsTriedWhileHalvesAreCompared() {
        Seen seen = first.seen.get();
        first.seen.set(new Seen(5, false, first.address, seen.all(), seen.holders()));
        assertThat(begun()).isNull();
        first.sees(5, first, second);
        second.seen.set(new Seen(5, false, second.address, seen.all(), seen.holders()));
        assertThat(written()).isFalse();
    }

    @Test
    void nothingIsTriedWithABuildFromBeforeOrOneThatIsGone() {
        second.fromBefore = true;
        assertThat(begun()).isNull();
        second.fromBefore = false;
        first.writes.view(Set.of(first.member(), third.member()));
        assertThat(begun()).isNull();
        assertThat(flying).isEmpty();
    }

    /** Nobody waits for an answer to what was not sent. */
    @Test
    void whatCannotBeSentIsNotWritten() {
        first.wireFails = true;
        assertThat(outcome(begun())).isFalse();
    }

    @Test
    void nothingIsTriedWhereOnePartitionHasNoHolder() {
        Map<String, byte[]> two = new LinkedHashMap<>(batch(1, 1));
        String other = Stored.key(PARTITION + 1, "other");
        two.put(other, Stored.value(new State(PARTITION + 1, "other", 1, 1, new byte[1])));
        for (int without : new int[] {PARTITION, PARTITION + 1}) {
            first.withoutHolder = without;
            assertThat(first.writes.write(Change.KEEP_LATER, two)).as("%d", without).isNull();
        }
    }

    /** JGroups would cut it in pieces, and keep those of a lost one for ever. */
    @Test
    void whatIsTooLargeForOneMessageIsNotTried() {
        for (int bytes : new int[] {49_000, 50_000}) {
            State state = new State(PARTITION, "call", 1, 1, new byte[bytes]);
            Map<String, byte[]> large = Map.of(Stored.key(PARTITION, "call"), Stored.value(state));
            CompletionStage<Boolean> written = first.writes.write(Change.KEEP_LATER, large);
            assertThat(written != null).as("%d bytes", bytes).isEqualTo(bytes < 50_000);
        }
        String key = Stored.key(PARTITION, "k".repeat(400));
        State state = new State(PARTITION, "k".repeat(400), 1, 1, new byte[1]);
        assertThat(first.writes.write(Change.KEEP_LATER, Map.of(key, Stored.value(state))))
                .isNull();
    }

    @Test
    void nothingIsTriedOrWaitsWhenTheStoreHasLeft() {
        CompletionStage<Boolean> waiting = begun();
        first.writes.close();
        assertThat(outcome(waiting)).isFalse();
        first.writes.view(Set.of(first.member(), second.member()));
        assertThat(begun()).isNull();
    }

    @Test
    void whoIsAloneWritesForItself() {
        first.sees(5, first);
        assertThat(written()).isTrue();
        assertThat(first.stored).hasSize(1);
    }

    @Test
    void aHolderThatLeavesOrIsSilentForASecondHasNotGotIt() {
        CompletionStage<Boolean> left = begun();
        flying.clear();
        first.writes.view(Set.of(first.member(), second.member()));
        assertThat(outcome(left)).as("another one left").isNull();
        first.writes.view(Set.of(first.member(), third.member()));
        assertThat(outcome(left)).isFalse();
        first.writes.view(Set.of(first.member(), second.member(), third.member()));
        CompletionStage<Boolean> silent = begun();
        now += TimeUnit.MILLISECONDS.toNanos(999);
        first.writes.look();
        assertThat(outcome(silent)).isNull();
        now += TimeUnit.MILLISECONDS.toNanos(1);
        first.writes.look();
        assertThat(outcome(silent)).isFalse();
        arrives();
        assertThat(outcome(silent)).as("an answer that is late says nothing").isFalse();
    }

    /** A batch that comes late does not replace what was written by Infinispan meanwhile. */
    @Test
    void anOlderStateReplacesNothing() {
        String key = Stored.key(PARTITION, "call");
        byte[] later = batch(1, 2).get(key);
        assertThat(later).isNotNull();
        second.stored.put(key, later);
        assertThat(written()).isTrue();
        assertThat(second.stored.get(key)).isSameAs(later);
    }

    @Test
    void bytesThatMakeNoSenseAreDropped() {
        for (String text :
                new String[] {"", "\1", "\1\2\3", "\7\1\1\1\1", "nonsense of some length"}) {
            second.writes.came(
                    first.member(), new Unpacker(text.getBytes(StandardCharsets.ISO_8859_1)), true);
        }
        assertThat(second.stored).isEmpty();
        assertThat(written()).isTrue();
    }
}
