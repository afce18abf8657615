package io.carillon.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.web.Comparisons.Asker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One thread that compares, held by the first comparison until the test lets it go. */
@Timeout(60)
class ComparisonsTest {
    private final Comparisons comparisons = new Comparisons(1, 60_000);
    private final CountDownLatch held = new CountDownLatch(1);
    private final List<String> compared = new CopyOnWriteArrayList<>();
    private final ExecutorService pages = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<Boolean>> asked = new ArrayList<>();

    @BeforeEach
    void holdTheThread() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        asked.add(
                pages.submit(() ->
                        comparisons.of(
                                new Asker("192.0.2.1", false),
                                () -> {
                                    begun.countDown();
                                    awaited(held);
                                    return !Thread.currentThread().isVirtual();
                                })));
        begun.await();
    }

    @AfterEach
    void end() {
        held.countDown();
        pages.close();
    }

    /** Asks, and waits until it waits. */
    private void asks(String source, boolean usual) {
        int before = comparisons.waiting();
        asked.add(
                pages.submit(() ->
                        comparisons.of(new Asker(source, usual), () -> compared.add(source))));
        while (comparisons.waiting() == before) {
            Thread.onSpinWait();
        }
    }

    /** Whoever is not refused at once waits. */
    private boolean isRefusedAtOnce(String source) {
        int before = comparisons.waiting();
        Future<Boolean> answer =
                pages.submit(
                        () -> comparisons.of(new Asker(source, false), () -> compared.add(source)));
        while (!answer.isDone() && comparisons.waiting() == before) {
            Thread.onSpinWait();
        }
        boolean refused = answer.isDone();
        if (!refused) {
            asked.add(answer);
        }
        return refused;
    }

    @Test
    void aNetworkLeavesPlacesToOthers() throws Exception {
        for (int i = 0; i < Comparisons.PLACES / 2; i++) {
            asks("10.0.0." + i, false);
        }
        assertThat(isRefusedAtOnce("10.0.0.99")).isTrue();
        assertThat(isRefusedAtOnce("10.0.1.1")).isFalse();
        assertThat(isRefusedAtOnce("10.0.1.1")).as("one of a source").isTrue();
        for (int i = 1; i < Comparisons.PLACES / 4; i++) {
            assertThat(isRefusedAtOnce(String.format("20010db800010%03x", i))).isFalse();
        }
        assertThat(isRefusedAtOnce("20010db800010fff")).isFalse();
        assertThat(isRefusedAtOnce("20010db80001ffff")).as("a quarter of a network").isTrue();
        assertThat(isRefusedAtOnce("20010db80002ffff")).isFalse();
    }

    @Test
    void whoIsWhereHeUsuallyIsGoesBeforeStrangersHoweverManyTheyAre() throws Exception {
        for (int i = 0; i < Comparisons.PLACES; i++) {
            asks("10." + i + ".0.1", false);
        }
        assertThat(isRefusedAtOnce("10.99.0.1")).isTrue();
        asks("192.0.2.7", true);
        held.countDown();
        assertThat(asked.getLast().get()).isTrue();
        assertThat(compared.getFirst()).isEqualTo("192.0.2.7");
        for (Future<Boolean> one : asked) {
            assertThat(one.get()).isTrue();
        }
        assertThat(comparisons.waiting()).isZero();
        assertThat(comparisons.of(new Asker("10.99.0.1", false), () -> true))
                .as("there are places again")
                .isTrue();
    }

    @Test
    void whoWaitsForTooLongIsRefusedAndLeavesHisPlace() {
        Comparisons busy = new Comparisons(1, 1);
        CountDownLatch begun = new CountDownLatch(1);
        BooleanSupplier holds =
                () -> {
                    begun.countDown();
                    awaited(held);
                    return true;
                };
        Future<Boolean> first =
                pages.submit(() -> {
                    Boolean answer = null;
                    while (answer == null) { // its thread may not have been there in time
                        answer = busy.of(new Asker("192.0.2.1", true), holds);
                    }
                    return answer;
                });
        asked.add(first);
        awaited(begun);
        assertThat(busy.of(new Asker("10.0.0.1", false), () -> compared.add("late"))).isNull();
        assertThat(busy.waiting()).isZero();
        held.countDown();
        assertThat(compared).isEmpty();
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** A page's thread is a virtual one: comparing there would keep its processor from others. */
    @Test
    void passwordsAreComparedOnThreadsOfTheirOwn() throws Exception {
        held.countDown();
        assertThat(asked.getFirst().get()).isTrue();
    }
}
