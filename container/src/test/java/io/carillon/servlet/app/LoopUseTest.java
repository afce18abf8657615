package io.carillon.servlet.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** An application that computes on the event loops has threads of its own for a while. */
class LoopUseTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long HELD = 20_000_000;

    private final LoopUse use = new LoopUse("app");
    private long now = -5 * SECOND; // System.nanoTime() may be anything

    private void offence() {
        use.offence(now, HELD, "call");
    }

    /** How long it is away from now on, in seconds. */
    private long away() {
        long seconds = 0;
        while (!use.may(now)) {
            now += SECOND;
            seconds++;
        }
        return seconds;
    }

    @Test
    void whoHasNotOffendedMay() {
        assertThat(use.offended()).isFalse();
        assertThat(use.may(now)).isTrue();
    }

    @Test
    void anApplicationOfTheServerStaysWhereItIs() {
        LoopUse own = LoopUse.ofServer("warm-up");
        own.offence(now, HELD, "call");
        assertThat(own.offended()).isFalse();
        assertThat(own.may(now)).isTrue();
        assertThat(own.offences()).isEqualTo(1);
    }

    @Test
    void theFirstOffenceCostsTenSeconds() {
        offence();
        assertThat(use.offended()).isTrue();
        assertThat(away()).isEqualTo(10);
        assertThat(use.offended()).isFalse();
    }

    @Test
    void eachThatFollowsSoonCostsTwiceAsMuchUpToTheMost() {
        long[] expected = {10, 20, 40, 80, 160, 320, 640, 640};
        for (long seconds : expected) {
            offence();
            assertThat(away()).isEqualTo(seconds);
            now += 60 * SECOND;
        }
    }

    @Test
    void severalThatWereOnTheirWayAreOneOffence() {
        offence();
        now += SECOND;
        offence();
        offence();
        assertThat(away()).isEqualTo(9);
        assertThat(use.offences()).isEqualTo(3);
    }

    @Test
    void whoHasBehavedForLongBeginsAnew() {
        offence();
        away();
        offence();
        assertThat(away()).isEqualTo(20);
        now += LoopUse.MOST_AWAY_SECONDS * SECOND;
        offence();
        assertThat(away()).isEqualTo(10);
    }

    @Test
    void theClockMayStandAtAnything() {
        now = -10 * SECOND; // it is away until zero
        offence();
        assertThat(use.may(now)).isFalse();
        assertThat(away()).isBetween(10L, 11L);
    }
}
