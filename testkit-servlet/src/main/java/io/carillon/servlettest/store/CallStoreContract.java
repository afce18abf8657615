package io.carillon.servlettest.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.carillon.servlet.port.CallStore;
import io.carillon.servlet.port.CallStore.Outcome;
import io.carillon.servlet.port.CallStore.State;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What every {@link CallStore} has to keep. A store's test extends it and makes its nodes; each
 * test uses ids of its own, so that nodes may be used again.
 */
public abstract class CallStoreContract {
    private static final int PARTITION = 17;

    private @Nullable StoreCluster nodes;

    /** Makes nodes that see each other, all of them with empty stores or with those of before. */
    protected abstract StoreCluster cluster(int count);

    /** Called behind each test; a store whose nodes are used again keeps them. */
    protected void release(StoreCluster used) {
        used.close();
    }

    @AfterEach
    final void releaseNodes() {
        if (nodes != null) {
            release(nodes);
        }
    }

    @Test
    protected void whatWasWrittenIsReadOnEveryNode() {
        StoreCluster all = use(2);
        assertNull(write(all, 0, state("read", 1, 1, "first")).failure());
        assertEquals("first", text(read(all, 0, "read")));
        assertEquals("first", text(read(all, 1, "read")));
        State found = read(all, 1, "read");
        assertNotNull(found);
        assertEquals(PARTITION, found.partition());
        assertEquals("read", found.id());
        assertEquals(1, found.term());
        assertEquals(1, found.sequence());
    }

    @Test
    protected void whatTwoNodesHoldIsProtected() {
        StoreCluster all = use(2);
        Outcome outcome = write(all, 0, state("two", 1, 1, "x"));
        assertEquals(2, outcome.holders());
        assertTrue(outcome.isProtected());
        assertEquals(2, all.node(0).holders(PARTITION));
        assertEquals(2, all.node(1).holders(PARTITION));
    }

    @Test
    protected void twoOfThreeNodesHoldARecord() {
        StoreCluster all = use(3);
        assertEquals(2, write(all, 0, state("of three", 1, 1, "x")).holders());
    }

    @Test
    protected void aNodeThatIsAloneProtectsNothing() {
        StoreCluster all = use(1);
        Outcome outcome = write(all, 0, state("alone", 1, 1, "x"));
        assertNull(outcome.failure());
        assertEquals(1, outcome.holders());
        assertFalse(outcome.isProtected());
        assertEquals("x", text(read(all, 0, "alone")));
    }

    @Test
    protected void nothingIsFoundUnderAnotherIdOrPartition() {
        StoreCluster all = use(2);
        write(all, 0, state("here", 1, 1, "x"));
        assertNull(read(all, 1, "her"));
        assertNull(read(all, 1, PARTITION + 1, "here"));
    }

    @Test
    protected void theLaterStateStaysWhicheverComesFirst() {
        StoreCluster all = use(2);
        write(all, 0, state("order", 3, 5, "5 of 3"));
        assertNull(write(all, 1, state("order", 3, 4, "4 of 3")).failure());
        assertEquals("5 of 3", text(read(all, 1, "order")));
        write(all, 1, state("order", 2, 9, "9 of 2"));
        assertEquals("5 of 3", text(read(all, 0, "order")));
        write(all, 1, state("order", 3, 6, "6 of 3"));
        assertEquals("6 of 3", text(read(all, 0, "order")));
        write(all, 0, state("order", 4, 0, "0 of 4"));
        assertEquals("0 of 4", text(read(all, 1, "order")));
    }

    @Test
    protected void ofABatchWithTwoStatesOfARecordTheLaterStays() {
        StoreCluster all = use(2);
        write(all, 0, state("twice", 1, 2, "later"), state("twice", 1, 1, "earlier"));
        assertEquals("later", text(read(all, 1, "twice")));
    }

    @Test
    protected void aRemovedRecordIsGoneAndALateWriteDoesNotBringItBack() {
        StoreCluster all = use(2);
        write(all, 0, state("gone", 2, 1, "x"));
        write(all, 0, removal("gone", 2, 3));
        assertRemoved(read(all, 0, "gone"));
        assertRemoved(read(all, 1, "gone"));
        write(all, 1, state("gone", 2, 2, "late"));
        write(all, 1, state("gone", 1, 9, "of an owner before"));
        assertRemoved(read(all, 0, "gone"));
        assertFalse(readAll(all, 1, PARTITION).containsKey("gone"));
        write(all, 1, state("gone", 3, 1, "new"));
        assertEquals("new", text(read(all, 0, "gone")));
    }

    @Test
    protected void aRemovalThatIsOlderThanTheRecordIsDropped() {
        StoreCluster all = use(2);
        write(all, 0, state("stays", 2, 1, "x"));
        write(all, 1, removal("stays", 1, 7));
        assertEquals("x", text(read(all, 0, "stays")));
    }

    @Test
    protected void aRemovalOfWhatIsNotThereIsNoFailure() {
        StoreCluster all = use(2);
        Outcome outcome = write(all, 0, removal("never was", 1, 1));
        assertNull(outcome.failure());
        assertRemoved(read(all, 1, "never was"));
        assertNull(read(all, 1, "never written"));
    }

    /** A node that looks for a call must know that it ended elsewhere, and is not lost. */
    private static void assertRemoved(@Nullable State found) {
        assertNotNull(found, "the store remembers a removal");
        assertNull(found.bytes());
    }

    @Test
    protected void allOfAPartitionAreReadOnEveryNodeAndNoneOfAnother() {
        StoreCluster all = use(3);
        List<State> batch = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            batch.add(new State(100 + i % 3, "many-" + i, 1, i, bytes("call " + i)));
        }
        assertNull(write(all, 0, batch.toArray(State[]::new)).failure());
        write(all, 0, new State(101, "many-1", 1, 1_000, null));
        for (int node = 0; node < 3; node++) {
            Map<String, State> found = readAll(all, node, 101);
            found.keySet().removeIf(id -> !id.startsWith("many-"));
            assertEquals(19, found.size(), "on node " + node);
            found.forEach((id, state) -> {
                assertEquals(101, state.partition());
                assertEquals("call " + id.substring(5), text(state));
                assertEquals(Long.parseLong(id.substring(5)), state.sequence());
            });
        }
    }

    @Test
    protected void bytesComeBackAsTheyWere() {
        StoreCluster all = use(2);
        byte[] every = new byte[70_000];
        for (int i = 0; i < every.length; i++) {
            every[i] = (byte) (i * 31 + i / 256);
        }
        write(all, 0, new State(PARTITION, "bytes", 1, 1, every.clone()));
        write(all, 0, new State(PARTITION, "no bytes", 1, 1, new byte[0]));
        State found = read(all, 1, "bytes");
        assertNotNull(found);
        assertArrayEquals(every, found.bytes());
        State empty = read(all, 1, "no bytes");
        assertNotNull(empty);
        assertArrayEquals(new byte[0], empty.bytes());
    }

    @Test
    protected void everyNumberOfTermAndSequenceAndEveryLetterOfAnIdIsKept() {
        StoreCluster all = use(2);
        String id = "sas/\u00fc\u4e16\ud83d\udd14;app=a b:\"" + "x".repeat(300);
        State largest = new State(1023, id, Long.MAX_VALUE, Long.MAX_VALUE, bytes("z"));
        write(all, 0, largest);
        State found = read(all, 1, 1023, id);
        assertNotNull(found);
        assertEquals(Long.MAX_VALUE, found.term());
        assertEquals(Long.MAX_VALUE, found.sequence());
        assertTrue(readAll(all, 1, 1023).containsKey(id));
        write(all, 0, new State(0, id, 0, 0, bytes("a")));
        assertEquals("a", text(read(all, 1, 0, id)));
    }

    @Test
    protected void anEmptyBatchIsWrittenAtOnce() {
        StoreCluster all = use(2);
        assertNull(write(all, 0).failure());
    }

    @Test
    protected void aBatchIsToldOnceAndNeverWithinItsCall() {
        StoreCluster all = use(2);
        List<Outcome> told = Collections.synchronizedList(new ArrayList<>());
        Thread here = Thread.currentThread();
        AtomicBoolean within = new AtomicBoolean(true);
        AtomicBoolean wasWithin = new AtomicBoolean();
        for (int i = 0; i < 20; i++) {
            all.node(0)
                    .write(
                            List.of(
                                    state("once", 1, i, "x"),
                                    new State(i, "once", 1, i, bytes("y"))),
                            outcome -> {
                                if (Thread.currentThread() == here && within.get()) {
                                    wasWithin.set(true);
                                }
                                told.add(outcome);
                            });
        }
        within.set(false);
        all.until("all outcomes", () -> told.size() >= 20);
        assertFalse(wasWithin.get());
        write(all, 0, state("once", 1, 100, "last"));
        assertEquals(20, told.size());
        told.forEach(outcome -> assertTrue(outcome.isProtected(), outcome.toString()));
        assertEquals("last", text(read(all, 1, "once")));
    }

    @Test
    protected void statesWrittenOneBehindTheOtherEndInTheLast() {
        StoreCluster all = use(2);
        List<Outcome> told = Collections.synchronizedList(new ArrayList<>());
        for (int i = 1; i <= 300; i++) {
            all.node(i % 2).write(List.of(state("busy", 1, i, "state " + i)), told::add);
        }
        all.until("all outcomes", () -> told.size() == 300);
        told.forEach(outcome -> assertNull(outcome.failure()));
        assertEquals("state 300", text(read(all, 0, "busy")));
        assertEquals("state 300", text(read(all, 1, "busy")));
    }

    @Test
    protected void whatADeadNodeWroteIsReadOnTheOthersAndProtectedAgain() {
        StoreCluster all = use(3);
        List<State> batch = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            batch.add(new State(i * 5, "kept-" + i, 1, 1, bytes("call " + i)));
        }
        assertTrue(write(all, 2, batch.toArray(State[]::new)).isProtected());
        all.kill(2);
        for (State state : batch) {
            assertEquals(
                    text(state),
                    text(read(all, state.partition() % 2, state.partition(), state.id())));
            assertTrue(readAll(all, 1, state.partition()).containsKey(state.id()), state.id());
        }
        all.until(
                "two copies of everything",
                () ->
                        batch.stream()
                                .allMatch(state -> all.node(0).holders(state.partition()) == 2));
        assertTrue(write(all, 1, state("after", 2, 1, "x")).isProtected());
        assertEquals("x", text(read(all, 0, "after")));
    }

    @Test
    protected void aWriteWhileANodeDiesHasAnOutcomeThatIsTrue() {
        StoreCluster all = use(3);
        Map<Integer, Outcome> told = new ConcurrentHashMap<>();
        for (int i = 0; i < 200; i++) {
            if (i == 100) {
                all.kill(2);
            }
            int partition = i;
            all.node(i % 2)
                    .write(
                            List.of(new State(i, "dying", 1, 1, bytes("x"))),
                            outcome -> told.put(partition, outcome));
        }
        all.until("all outcomes", () -> told.size() == 200);
        told.forEach((partition, outcome) -> {
            if (outcome.failure() == null) {
                assertEquals("x", text(read(all, 1, partition, "dying")));
            }
        });
        all.until("two copies", () -> all.node(0).holders(5) == 2);
    }

    @Test
    protected void aClosedStoreSaysSoAndTheOthersGoOn() {
        StoreCluster all = use(3);
        write(all, 2, state("left", 1, 1, "x"));
        all.node(2).close();
        Outcome outcome = write(all, 2, state("left", 1, 2, "y"));
        assertNotNull(outcome.failure());
        AtomicReference<String> end = new AtomicReference<>();
        all.node(2).readAll(PARTITION, state -> {}, failure -> end.set(String.valueOf(failure)));
        all.until("the end of reading", () -> end.get() != null);
        assertNotEquals("null", end.get());
        assertEquals("x", text(read(all, 0, "left")));
        assertNull(write(all, 1, state("left", 2, 1, "z")).failure());
        assertEquals("z", text(read(all, 0, "left")));
    }

    private StoreCluster use(int count) {
        StoreCluster made = cluster(count);
        nodes = made;
        return made;
    }

    /** Writes and waits for the outcome. */
    protected static Outcome write(StoreCluster all, int node, State... batch) {
        AtomicReference<@Nullable Outcome> told = new AtomicReference<>();
        all.node(node).write(List.of(batch), told::set);
        all.until("the outcome", () -> told.get() != null);
        Outcome outcome = told.get();
        assertNotNull(outcome);
        return outcome;
    }

    /** Reads a record of the contract's partition and waits for it. */
    protected static @Nullable State read(StoreCluster all, int node, String id) {
        return read(all, node, PARTITION, id);
    }

    /** Reads a record and waits for it. */
    protected static @Nullable State read(StoreCluster all, int node, int partition, String id) {
        AtomicBoolean told = new AtomicBoolean();
        AtomicReference<@Nullable State> found = new AtomicReference<>();
        all.node(node)
                .read(
                        partition,
                        id,
                        read -> {
                            found.set(read.state());
                            told.set(true);
                        });
        all.until("the record", told::get);
        return found.get();
    }

    /** Reads a partition and waits for the end. */
    protected static Map<String, State> readAll(StoreCluster all, int node, int partition) {
        Map<String, State> found = new ConcurrentHashMap<>();
        AtomicReference<@Nullable String> end = new AtomicReference<>();
        all.node(node)
                .readAll(
                        partition,
                        state -> found.put(state.id(), state),
                        failure -> end.set(failure == null ? "" : failure));
        all.until("the end of the partition", () -> end.get() != null);
        assertEquals("", end.get());
        return new TreeMap<>(found);
    }

    /** A state of a record in the contract's partition. */
    protected static State state(String id, long term, long sequence, String text) {
        return new State(PARTITION, id, term, sequence, bytes(text));
    }

    /** The removal of a record in the contract's partition. */
    protected static State removal(String id, long term, long sequence) {
        return new State(PARTITION, id, term, sequence, null);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static @Nullable String text(@Nullable State state) {
        return state == null || state.bytes() == null
                ? null
                : new String(state.bytes(), StandardCharsets.UTF_8);
    }
}
