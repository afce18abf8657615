package io.carillon.examples.registrar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who changes one address of record waits for nobody else's. */
@Timeout(60)
class TurnsTest {
    private static final String MALLORY = "sip:mallory@*";

    private final Turns turns = new Turns();

    /** Names of one hash code, as far as a table of 256 locks would look at it, and others. */
    private static List<String> names() {
        int same = Math.floorMod(MALLORY.hashCode(), 256);
        Stream<String> aimed =
                Stream.iterate(0, i -> i + 1)
                        .map(i -> "sip:u" + i + "@*")
                        .filter(name -> Math.floorMod(name.hashCode(), 256) == same)
                        .limit(3);
        return Stream.concat(aimed, Stream.of("sip:bob@*")).toList();
    }

    @Test
    void aChangeThatTakesLongHoldsUpNoOtherAddressOfRecord() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> slow = threads.submit(() -> turns.take(MALLORY, () -> waited(begun, held)));
            begun.await();
            for (String other : names()) {
                assertThat(threads.submit(() -> turns.take(other, () -> other)).get())
                        .isEqualTo(other);
            }
            assertThat(slow.isDone()).isFalse();
            held.countDown();
            slow.get();
        }
        assertThat(turns.size()).isZero();
    }

    private static boolean waited(CountDownLatch begun, CountDownLatch held) {
        begun.countDown();
        try {
            held.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return true;
    }

    @Test
    void aFewWaitInTheOrderInWhichTheyCameAndTheNextIsRefused() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        List<Integer> order = new CopyOnWriteArrayList<>();
        List<Thread> waiters = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            threads.submit(() -> turns.take(MALLORY, () -> waited(begun, held)));
            begun.await();
            for (int i = 0; i < Turns.MOST_WAITING; i++) {
                int number = i;
                Thread waiting =
                        Thread.ofVirtual()
                                .start(() -> {
                                    try {
                                        turns.take(MALLORY, () -> order.add(number));
                                    } catch (Exception e) {
                                        throw new IllegalStateException(e);
                                    }
                                });
                waiters.add(waiting);
                while (waiting.getState() != Thread.State.WAITING) {
                    Thread.onSpinWait();
                }
            }
            assertThat(turns.changes(MALLORY)).isEqualTo(1 + Turns.MOST_WAITING);
            assertThatThrownBy(() -> turns.take(MALLORY, () -> order.add(99)))
                    .isInstanceOfSatisfying(
                            Refused.class,
                            refused -> {
                                assertThat(refused.status).isEqualTo(503);
                                assertThat(refused.header).isEqualTo("Retry-After");
                            });
            held.countDown();
            // Each has left its turn then, and not only made its change.
            for (Thread waiter : waiters) {
                waiter.join();
            }
        }
        assertThat(order)
                .containsExactlyElementsOf(IntStream.range(0, Turns.MOST_WAITING).boxed().toList());
        assertThat(turns.take(MALLORY, () -> "again")).isEqualTo("again");
        assertThat(turns.size()).isZero();
    }

    @Test
    void aChangeThatFailsLeavesNothingBehind() {
        assertThatThrownBy(() ->
                        turns.take(
                                MALLORY,
                                () -> {
                                    throw new Refused(400);
                                }))
                .isInstanceOf(Refused.class);
        assertThat(turns.size()).isZero();
    }
}
