package io.carillon.grid.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.grid.Loopback;
import io.carillon.servlet.port.CallStore.Outcome;
import io.carillon.servlet.port.CallStore.State;
import io.carillon.sip.token.Ownership;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;
import org.jgroups.protocols.DISCARD;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Partitions are read all the time while nodes die and come back, the coordinator among them. A
 * read that ends well has every record that two nodes held before it began; one that may have
 * missed some says so.
 */
class MovingCopiesTest {
    private static final int ROUNDS = Integer.getInteger("carillon.grid.rounds", 2);

    /** Of grids that are merged: each takes some ten seconds. */
    private static final int MEETINGS = Math.max(1, ROUNDS / 2);

    private static final int READER = 1;
    private static final int PER_PARTITION = 2;
    private static final int TOGETHER = 100;
    private static final String CHANGES = "changes";

    private final InfinispanCluster nodes = new InfinispanCluster(3);
    private final AtomicLongArray acknowledged = new AtomicLongArray(Ownership.PARTITIONS);
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final LongAdder whole = new LongAdder();
    private final LongAdder unsure = new LongAdder();
    private volatile boolean over;

    @AfterEach
    void close() {
        nodes.close();
    }

    @Test
    void noReadMissesWhatTwoNodesHeld() throws Exception {
        whileNodesComeBack(ROUNDS, nodes::comesBack);
    }

    /** Its grid knows nothing of these records, and for a while takes part in theirs. */
    @Test
    void noReadMissesThemWhileAGridOfOneNodeIsMerged() throws Exception {
        whileNodesComeBack(MEETINGS, nodes::comesBackAlone);
    }

    /** The reader is alone for a while: the others' copies are not its own to miss. */
    @Test
    void noReadMissesThemWhenThePartsOfADividedGridMeet() throws Exception {
        whileRead(() -> {
            for (int round = 0; round < MEETINGS; round++) {
                DISCARD cut = nodes.cut(READER);
                Loopback.until(
                        "alone",
                        () -> !nodes.holdsSomething(READER, 0) && !nodes.holdsSomething(READER, 2));
                Loopback.until("the others", () -> !nodes.holdsSomething(0, READER));
                cut.discardAll(false);
                Loopback.until(
                        "its share",
                        () -> nodes.holdsSomething(READER, 0) && nodes.holdsSomething(0, READER));
                nodes.untilTwoCopies();
            }
        });
    }

    private void whileNodesComeBack(int rounds, IntConsumer comesBack) throws Exception {
        whileRead(() -> {
            for (int round = 0; round < rounds; round++) {
                int victim = round % 2 == 0 ? 0 : 2; // the oldest is the coordinator
                nodes.kill(victim);
                nodes.untilTwoCopies(READER, victim);
                comesBack.accept(victim);
                Loopback.until("its share", () -> nodes.holdsSomething(READER, victim));
                nodes.untilTwoCopies();
            }
        });
    }

    interface Faults {
        void happen() throws Exception;
    }

    private void whileRead(Faults faultsHappen) throws Exception {
        writeAll();
        Thread reader = Thread.ofPlatform().start(this::reads);
        Thread writer = Thread.ofPlatform().start(this::writes);
        faultsHappen.happen();
        over = true;
        reader.join();
        writer.join();
        System.out.printf(
                "%d whole reads of a partition, %d said that they may have missed some%n",
                whole.sum(), unsure.sum());
        assertThat(faults).isEmpty();
        assertThat(whole.sum()).isGreaterThan(Ownership.PARTITIONS);
    }

    private void writeAll() throws InterruptedException {
        List<State> all = new ArrayList<>();
        for (int partition = 0; partition < Ownership.PARTITIONS; partition++) {
            for (int i = 0; i < PER_PARTITION; i++) {
                all.add(new State(partition, "stays-" + i, 1, 1, new byte[100]));
            }
        }
        CountDownLatch done = new CountDownLatch(1);
        List<Outcome> told = new ArrayList<>();
        nodes.store(READER)
                .write(
                        all,
                        outcome -> {
                            told.add(outcome);
                            done.countDown();
                        });
        done.await();
        assertThat(told.getFirst().isProtected()).isTrue();
    }

    private void writes() {
        long sequence = 0;
        while (!over) {
            sequence++;
            int partition = (int) (sequence * 31 % Ownership.PARTITIONS);
            long number = sequence;
            CountDownLatch done = new CountDownLatch(1);
            nodes.store(READER)
                    .write(
                            List.of(new State(partition, CHANGES, 1, number, new byte[100])),
                            outcome -> {
                                if (outcome.isProtected()) {
                                    acknowledged.accumulateAndGet(partition, number, Math::max);
                                }
                                done.countDown();
                            });
            await(done);
        }
    }

    private void reads() {
        for (int from = 0; !over; from = (from + TOGETHER) % Ownership.PARTITIONS) {
            CountDownLatch done = new CountDownLatch(TOGETHER);
            for (int i = 0; i < TOGETHER; i++) {
                read((from + i) % Ownership.PARTITIONS, done);
            }
            await(done);
            readOne(from);
        }
    }

    private void readOne(int partition) {
        CountDownLatch done = new CountDownLatch(1);
        nodes.store(READER)
                .read(
                        partition,
                        "stays-0",
                        found -> {
                            if (found.failure() == null && found.state() == null) {
                                faults.add("partition " + partition + " had no first record");
                            }
                            done.countDown();
                        });
        await(done);
    }

    private void read(int partition, CountDownLatch done) {
        long least = acknowledged.get(partition);
        Map<String, Long> found = new ConcurrentHashMap<>();
        nodes.store(READER)
                .readAll(
                        partition,
                        state -> found.merge(state.id(), state.sequence(), Math::max),
                        failure -> {
                            if (failure == null) {
                                whole.increment();
                                judge(partition, least, found);
                            } else {
                                unsure.increment();
                            }
                            done.countDown();
                        });
    }

    private void judge(int partition, long least, Map<String, Long> found) {
        for (int i = 0; i < PER_PARTITION; i++) {
            if (!found.containsKey("stays-" + i)) {
                faults.add("partition " + partition + " had " + found);
            }
        }
        if (least > 0 && found.getOrDefault(CHANGES, 0L) < least) {
            faults.add("partition " + partition + " had " + found + ", two nodes held " + least);
        }
    }

    private static void await(CountDownLatch done) {
        Loopback.until("an answer", () -> done.getCount() == 0);
    }
}
