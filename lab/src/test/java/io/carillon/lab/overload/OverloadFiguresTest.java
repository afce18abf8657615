package io.carillon.lab.overload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.carillon.lab.load.LoadSample;
import io.carillon.lab.load.Outcomes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** From the seconds of a load to its figures, by hand. */
class OverloadFiguresTest {
    private static final double CAPACITY = 100;

    private final List<LoadSample> seconds = new ArrayList<>();

    private void second(long made, double serverCpu, long drops, Outcomes outcomes) {
        second(made, 0, serverCpu, drops, outcomes);
    }

    /** One more second. */
    private void second(long made, long held, double serverCpu, long drops, Outcomes outcomes) {
        seconds.add(
                new LoadSample(
                        seconds.size() + 1,
                        false,
                        made,
                        made,
                        0,
                        0,
                        held,
                        0,
                        0,
                        0,
                        0,
                        1,
                        1,
                        1,
                        1,
                        1,
                        0,
                        0.2,
                        0,
                        serverCpu,
                        drops,
                        7,
                        outcomes));
    }

    private static Outcomes outcomes(long good, long refused, long accepted, long failed) {
        return new Outcomes(0, good, accepted, failed, refused, 0, 0, accepted, 0);
    }

    /** 2 s at 50, then 10 s at 300 of which 90 are good, then 4 s at 50, then 2 s of ends. */
    private LoadCourse course() {
        for (int i = 0; i < 2; i++) {
            second(50, 0.05, 0, outcomes(50, 0, 50, 0));
        }
        for (int i = 0; i < 10; i++) {
            second(300, 0.3, i == 3 ? 5 : 0, outcomes(90, 210, 90, 0));
        }
        for (int i = 0; i < 4; i++) {
            second(50, 0.05, 0, outcomes(i < 2 ? 30 : 50, 0, 50, i == 3 ? 1 : 0));
        }
        for (int i = 0; i < 2; i++) {
            second(0, 0, 0, new Outcomes(0, 0, 0, 1, 0, 0, 1, 10, 5));
        }
        return new LoadCourse(2, 10, 4, seconds, "");
    }

    @Test
    void goodputIsOfTheCapacityAndOfTheSecondsAboveItAlone() {
        OverloadFigures figures = OverloadFigures.of(course(), CAPACITY);
        assertThat(figures.goodput()).isEqualTo(0.9);
        assertThat(figures.offered()).isEqualTo(300);
        assertThat(figures.refused()).isEqualTo(210);
        assertThat(figures.drops()).isEqualTo(5);
        assertThat(figures.serverCpu()).isCloseTo(0.3, within(1e-9));
    }

    @Test
    void acceptedCallsThatFailCountUntilTheLastOneHasEnded() {
        OverloadFigures figures = OverloadFigures.of(course(), CAPACITY);
        assertThat(figures.accepted()).isEqualTo(10 * 90 + 4 * 50);
        assertThat(figures.acceptedFailed()).isEqualTo(3);
        assertThat(figures.ghosts()).isEqualTo(2);
        assertThat(figures.inDialogSlow()).isCloseTo(10.0 / (1100 + 20), within(1e-9));
        assertThat(figures.inDialogP99Millis()).isEqualTo(7);
    }

    @Test
    void aRefusalCostsWhatTheGoodCallsLeaveOfTheCpu() {
        OverloadFigures figures = OverloadFigures.of(course(), CAPACITY);
        // 50 calls take 50 ms of CPU, so 90 take 90 ms of the 300 ms; 210 refusals the rest.
        assertThat(figures.cpuPerCall()).isCloseTo(1000, within(1e-6));
        assertThat(figures.cpuPerRefusal()).isCloseTo(1000, within(1e-6));
    }

    @Test
    void recoveryEndsWithTheLastSecondThatWasNotAsBefore() {
        assertThat(OverloadFigures.of(course(), CAPACITY).recoverySeconds()).isEqualTo(2);
    }

    @Test
    void aServerThatIsNeverAsBeforeHasNotRecoveredInAnySecond() {
        for (int i = 0; i < 6; i++) {
            second(50, 0, 0, outcomes(10, 40, 10, 0));
        }
        assertThat(OverloadFigures.lastMissing(new LoadCourse(0, 0, 6, seconds, ""))).isEqualTo(6);
    }

    /** Six calls begin as a second ends, and are good in the next one: nobody misses them. */
    @Test
    void whatIsUpAsASecondEndsIsNotMissing() {
        second(300, 20, 0, 0, outcomes(90, 190, 110, 0));
        second(91, 26, 0, 0, outcomes(85, 0, 91, 0));
        second(81, 0, 0, 0, outcomes(107, 0, 81, 0));
        assertThat(OverloadFigures.lastMissing(new LoadCourse(0, 1, 2, seconds, ""))).isZero();
        second(91, 6, 0, 0, outcomes(80, 5, 86, 0));
        assertThat(OverloadFigures.lastMissing(new LoadCourse(0, 1, 3, seconds, ""))).isEqualTo(3);
    }

    /** Who is refused calls once more: until all have, the load has not fallen. */
    @Test
    void theLoadHasFallenWhenRefusedCallersAskForNoMoreThanTheCapacity() {
        second(300, 0, 0, outcomes(90, 210, 90, 0));
        second(250, 0, 0, outcomes(90, 160, 90, 0));
        second(150, 0, 0, outcomes(90, 60, 90, 0));
        second(90, 0, 0, outcomes(80, 10, 80, 0));
        second(60, 0, 0, outcomes(60, 0, 60, 0));
        OverloadFigures figures =
                OverloadFigures.of(new LoadCourse(0, 1, 4, seconds, ""), CAPACITY);
        assertThat(figures.fallSeconds()).isEqualTo(2);
        assertThat(figures.recoverySeconds()).isEqualTo(1);
    }

    @Test
    void theWorstWindowLeavesTheFirstFiveSecondsOut() {
        for (int i = 0; i < 15; i++) {
            boolean first = i < 5;
            boolean dip = i == 8 || i == 9;
            second(300, 0, 0, outcomes(first ? 0 : dip ? 50 : 100, 0, 0, 0));
        }
        assertThat(OverloadFigures.worst(seconds)).isEqualTo(80);
        assertThat(OverloadFigures.worst(seconds.subList(0, 9))).isNaN();
    }
}
