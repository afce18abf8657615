package io.carillon.grid.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.carillon.servlet.port.CallStore.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Many partitions are read by few questions to the grid, and each reading gets its own. */
class PartitionReadsTest {
    private final List<Set<Integer>> asked = new ArrayList<>();
    private final List<String> heard = new ArrayList<>();
    private String failure = "";

    private final PartitionReads reads =
            new PartitionReads((partitions, each) -> {
                asked.add(new TreeSet<>(partitions));
                for (int partition : asked.getLast()) {
                    each.accept(new State(partition, "call", 1, 1, new byte[0]));
                }
                return failure.isEmpty() ? null : failure;
            });

    private PartitionReads.Read add(int partition) {
        PartitionReads.Read read =
                new PartitionReads.Read(
                        partition,
                        state -> heard.add(partition + " has one of " + state.partition()),
                        why -> heard.add(partition + (why == null ? " is done" : " " + why)));
        reads.add(read);
        return read;
    }

    @Test
    void theyAreReadTogetherAndEachGetsItsOwn() {
        add(5);
        add(6);
        add(5);
        reads.next();
        assertEquals(List.of(Set.of(5, 6)), asked);
        assertEquals(6, heard.size());
        assertEquals(2, heard.stream().filter("5 has one of 5"::equals).count());
        assertEquals(1, heard.stream().filter("6 has one of 6"::equals).count());
        assertEquals(2, heard.stream().filter("5 is done"::equals).count());
        reads.next();
        assertEquals(1, asked.size());
    }

    @Test
    void soManyAtATimeThatTheFirstWaitsForFew() {
        for (int partition = 0; partition <= PartitionReads.TOGETHER; partition++) {
            add(partition);
        }
        reads.next();
        assertEquals(PartitionReads.TOGETHER, asked.getFirst().size());
        reads.next();
        assertEquals(Set.of(PartitionReads.TOGETHER), asked.getLast());
    }

    @Test
    void whatGoesWrongIsToldToEach() {
        failure = "the grid does not answer";
        add(5);
        add(6);
        reads.next();
        assertTrue(heard.contains("5 the grid does not answer"));
        assertTrue(heard.contains("6 the grid does not answer"));
    }

    @Test
    void oneThatWasTakenBackIsNotDone() {
        PartitionReads.Read read = add(5);
        assertTrue(reads.takeBack(read));
        reads.next();
        assertTrue(heard.isEmpty());
        add(6);
        reads.next();
        assertFalse(reads.takeBack(read));
    }

    /** Whoever waits for an end would wait for good, and with him all messages of a partition. */
    @Test
    void eachHasItsEndWhateverAReaderMakesOfARecord() {
        reads.add(
                new PartitionReads.Read(
                        5,
                        state -> {
                            throw new IllegalStateException("cannot take it");
                        },
                        why -> heard.add("5 " + why)));
        add(5);
        add(6);
        reads.next();
        assertTrue(heard.contains("5 java.lang.IllegalStateException: cannot take it"));
        assertTrue(heard.contains("5 is done"));
        assertTrue(heard.contains("6 has one of 6"));
        assertTrue(heard.contains("6 is done"));
    }

    @Test
    void eachHasItsEndWhereTheSourceFails() {
        PartitionReads failing =
                new PartitionReads((partitions, each) -> {
                    throw new NoClassDefFoundError("of the grid");
                });
        failing.add(new PartitionReads.Read(5, state -> {}, heard::add));
        failing.next();
        assertEquals(List.of("java.lang.NoClassDefFoundError: of the grid"), heard);
    }
}
