package io.carillon.sip.overload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Emergency calls come first, but nobody has more of that than leaves some for others. */
class EmergencyRateTest {
    private static final long MILLI = 1_000_000;
    private static final int LIMIT = 200;

    private final EmergencyRate rate = new EmergencyRate(4711, 0);

    /**
     * Strangers claim so many emergencies a second each, for ten seconds; somebody calls one once a
     * second.
     *
     * @return how many of his ten come first
     */
    private int first(int strangers, int perSecond) {
        int first = 0;
        long step = 1_000 * MILLI / perSecond;
        for (int i = 0; i < 10 * perSecond; i++) {
            for (int stranger = 1; stranger <= strangers; stranger++) {
                rate.take(LIMIT, false, stranger, i * step);
            }
            if (i % perSecond == perSecond - 1) {
                first += rate.take(LIMIT, false, 1_000_000, i * step) ? 1 : 0;
            }
        }
        return first;
    }

    @Test
    void oneSourceThatCallsAllEmergenciesLeavesRoomForARealOne() {
        assertThat(first(1, 1_000)).isGreaterThanOrEqualTo(9);
    }

    @Test
    void norDoTwenty() {
        assertThat(first(20, 200)).isGreaterThanOrEqualTo(7);
    }

    @Test
    void whoIsAloneHasAllOfIt() {
        int taken = 0;
        for (int i = 0; i < 10_000; i++) {
            taken += rate.take(LIMIT, false, 1, i * MILLI) ? 1 : 0;
        }
        assertThat(taken).as("of 100 a second").isBetween(900, 1_020);
    }

    @Test
    void ofABelievedPeerNoShareIsLookedAt() {
        int taken = 0;
        for (int i = 0; i < 1_000; i++) {
            rate.take(LIMIT, false, 1, i * MILLI);
            taken += i % 20 == 0 && rate.take(LIMIT, true, 2, i * MILLI) ? 1 : 0;
        }
        assertThat(taken).isGreaterThan(45);
    }
}
