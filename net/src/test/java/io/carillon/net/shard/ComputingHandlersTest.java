package io.carillon.net.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How long a handler waits for a processor that others have. */
class ComputingHandlersTest {
    private static final long MILLI = 1_000_000;

    /** What each thread has used, in nanoseconds. */
    private final Map<Long, Long> used = new HashMap<>();

    private final ComputingHandlers two = new ComputingHandlers(2, id -> used.getOrDefault(id, 0L));

    private void one(long thread, long usedNanos) {
        long before = two.left(thread);
        used.merge(thread, usedNanos, Long::sum);
        two.returned(thread, before);
    }

    private void many(long usedNanos) {
        for (int i = 0; i < 200; i++) {
            one(1, usedNanos);
        }
    }

    @Test
    void whoHasAProcessorWaitsForNone() {
        many(10 * MILLI);
        assertThat(two.waitNanos()).isZero();
        two.left(1);
        assertThat(two.waitNanos()).isZero();
    }

    @Test
    void beyondTheProcessorsEachMakesOthersWait() {
        many(15 * MILLI); // and the 5 ms before the loop left it: 20 ms each
        for (long thread = 1; thread <= 5; thread++) {
            two.left(thread);
        }
        // Four of six have to wait while two run: 4 x 20 ms of work before two processors.
        assertThat(two.waitNanos()).isBetween(39 * MILLI, 40 * MILLI);
    }

    @Test
    void whoeverHasEndedIsWaitedForNoMore() {
        long before = two.left(1);
        two.left(2);
        two.left(3);
        assertThat(two.waitNanos()).isPositive();
        two.returned(1, before);
        two.notLeft();
        assertThat(two.now()).isOne();
        assertThat(two.waitNanos()).isZero();
    }

    @Test
    void whatSleepsOnItsThreadKeepsNoProcessor() {
        many(0);
        for (long thread = 1; thread <= 50; thread++) {
            two.left(thread);
        }
        assertThat(two.waitNanos()).isLessThan(MILLI / 10);
    }

    @Test
    void withoutProcessorTimesTheTimeIsThatOfTheGuard() {
        ComputingHandlers blind = new ComputingHandlers(1, id -> -1);
        blind.returned(1, blind.left(1));
        blind.left(1);
        assertThat(blind.waitNanos()).isEqualTo(LoopCarrier.LONGEST_NANOS);
    }
}
