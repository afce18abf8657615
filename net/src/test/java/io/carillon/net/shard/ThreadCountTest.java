package io.carillon.net.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** On how many threads loops run, in virtual time. */
class ThreadCountTest {
    private static final long LOOK = LoopSharing.LOOK_NANOS;

    private long now;

    /** Looks for so long, and says what it was told. */
    private List<Integer> looks(ThreadCount count, double total, double most, long nanos) {
        List<Integer> told = new ArrayList<>();
        for (long until = now + nanos; now < until; ) {
            now += LOOK;
            told.add(count.next(total, most, now));
        }
        return told;
    }

    @Test
    void eachLoopHasItsOwnUntilItHasBeenCalmForAWhile() {
        ThreadCount count = new ThreadCount(2, now);
        assertThat(looks(count, 0.2, 0.1, ThreadCount.CALM_NANOS - LOOK)).containsOnly(2);
        assertThat(looks(count, 0.2, 0.1, LOOK)).containsExactly(1);
    }

    @Test
    void aThreadThatIsBusyIsHelpedAtOnce() {
        ThreadCount count = new ThreadCount(8, now);
        looks(count, 0.1, 0.1, 4 * ThreadCount.CALM_NANOS);
        assertThat(count.threads()).isEqualTo(1);
        assertThat(looks(count, 0.6, 0.6, 2 * LOOK)).containsExactly(2, 4);
    }

    @Test
    void thereAreNeverMoreThreadsThanLoops() {
        ThreadCount count = new ThreadCount(3, now);
        looks(count, 0.1, 0.1, 4 * ThreadCount.CALM_NANOS);
        assertThat(looks(count, 1, 1, 4 * LOOK)).containsExactly(2, 3, 3, 3);
    }

    /** Else one that is busy alone would be moved to and fro. */
    @Test
    void oneThatIsBusyKeepsAllApart() {
        ThreadCount count = new ThreadCount(8, now);
        assertThat(looks(count, 0.6, 0.55, 10 * ThreadCount.CALM_NANOS)).containsOnly(8);
    }

    @Test
    void aBusyMomentBeginsTheCalmAnew() {
        ThreadCount count = new ThreadCount(2, now);
        looks(count, 0.2, 0.1, ThreadCount.CALM_NANOS - LOOK);
        looks(count, 0.5, 0.4, LOOK);
        assertThat(looks(count, 0.2, 0.1, ThreadCount.CALM_NANOS - LOOK)).containsOnly(2);
    }

    /** What the threads would work together is what counts: two that are half calm are not. */
    @Test
    void fewerThreadsAreNotToBeBusyAtOnce() {
        ThreadCount count = new ThreadCount(2, now);
        assertThat(looks(count, 0.4, 0.2, 10 * ThreadCount.CALM_NANOS)).containsOnly(2);
    }

    /** Two cost more for the same calls; what made them two is not to make them one again. */
    @Test
    void betweenCalmAndBusyNothingChanges() {
        ThreadCount count = new ThreadCount(2, now);
        looks(count, 0.1, 0.1, 2 * ThreadCount.CALM_NANOS);
        assertThat(looks(count, 0.45, 0.45, 10 * ThreadCount.CALM_NANOS)).containsOnly(1);
        assertThat(looks(count, 0.55, 0.55, LOOK)).containsExactly(2);
        assertThat(looks(count, 0.55, 0.3, 10 * ThreadCount.CALM_NANOS)).containsOnly(2);
    }
}
