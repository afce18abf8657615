package io.carillon.examples.clicktocall;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Shares of places. */
class RunningCallsTest {
    private final RunningCalls running = new RunningCalls(100, 25);

    private int takes(String source, int wanted) {
        int taken = 0;
        for (int i = 0; i < wanted; i++) {
            taken += running.begin(source) ? 1 : 0;
        }
        return taken;
    }

    @Test
    void oneSourceHasHalfAndOthersAPartOfWhatIsLeft() {
        assertThat(takes("greedy", 100)).isEqualTo(50);
        assertThat(takes("second", 100)).isEqualTo(12);
        assertThat(takes("third", 100)).isEqualTo(9); // of 38
        running.end("greedy");
        assertThat(takes("greedy", 1)).as("it has more than its share").isZero();
        assertThat(takes("fourth", 100)).isEqualTo(7); // of 30
    }

    @Test
    void howeverManyHoldCallsTheNextOneFindsAPlace() {
        for (int i = 0; i < 12; i++) {
            takes("source" + i, 100);
        }
        assertThat(takes("next", 1)).isEqualTo(1);
    }

    @Test
    void aPlaceIsGivenBackOnce() {
        assertThat(takes("one", 1)).isEqualTo(1);
        running.end("one");
        running.end("one");
        running.end("another");
        assertThat(takes("one", 100)).isEqualTo(50);
    }

    @Test
    void neighboursInASubnetOfIpv6AreOneSource() {
        String own = RunningCalls.source(null, "2001:db8:0:1::1");
        assertThat(RunningCalls.source(null, "[2001:db8:0:1:ffff::2]")).isEqualTo(own);
        assertThat(RunningCalls.source(null, "2001:db8:0:2::1")).isNotEqualTo(own);
        assertThat(RunningCalls.source(null, "192.0.2.1")).isEqualTo("192.0.2.1");
        assertThat(RunningCalls.source("alice", "192.0.2.1")).isEqualTo("user alice");
    }
}
