package io.carillon.lab.overload;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.lab.load.LoadSample;
import io.carillon.lab.load.Outcomes;
import java.util.Collections;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** What a refused call costs, by hand. */
class RefusalFiguresTest {
    private static final Offset<Double> EXACT = Offset.offset(1e-6);

    private static LoadSample second(long made, double serverCpu, Outcomes outcomes) {
        return new LoadSample(
                1, false, made, made, made, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0.1, 0, serverCpu,
                0, 1, outcomes);
    }

    private static List<LoadSample> good(int seconds, long made, double serverCpu) {
        return Collections.nCopies(
                seconds, second(made, serverCpu, new Outcomes(0, made, made, 0, 0, 0, 0, made, 0)));
    }

    private static List<LoadSample> refused(
            int seconds, long made, long refused, long ghosts, double serverCpu) {
        return Collections.nCopies(
                seconds,
                second(made, serverCpu, new Outcomes(0, 0, 0, 0, refused, 0, ghosts, 0, 0)));
    }

    /** 500 calls/s at 10 % of a CPU, of which 1 % is nobody's: 180 us each. */
    private static final RefusalFigures.Cost SERVED =
            RefusalFigures.served(500, good(20, 500, 0.10), 0.01);

    private static List<String> fallShort(RefusalFigures.Cost... refused) {
        return new RefusalFigures(SERVED, List.of(refused))
                .lines().stream().filter(line -> !line.kept()).map(Line::subject).toList();
    }

    @Test
    void whatTheServerTakesWithoutLoadIsNoCallsCost() {
        assertThat(SERVED.micros()).isCloseTo(180, EXACT);
        // 1,000 a second at 3 % of a CPU, of which 1 % is nobody's.
        assertThat(RefusalFigures.refused(1_000, refused(20, 1_000, 1_000, 0, 0.03), 0.01).micros())
                .isCloseTo(20, EXACT);
    }

    @Test
    void aRefusalMayCostFifteenHundredthsOfAServedCall() {
        // 27 us are 0.15 of 180 us.
        assertThat(
                        fallShort(
                                RefusalFigures.refused(
                                        1_000, refused(9, 1_000, 1_000, 0, 0.0369), 0.01)))
                .isEmpty();
        assertThat(
                        fallShort(
                                RefusalFigures.refused(
                                        1_000, refused(9, 1_000, 1_000, 0, 0.0371), 0.01)))
                .containsExactly("refused at 1,000 calls/s, CPU of one");
    }

    @Test
    void eachRateIsJudgedForItself() {
        assertThat(
                        fallShort(
                                RefusalFigures.refused(500, refused(9, 500, 500, 0, 0.03), 0.01),
                                RefusalFigures.refused(
                                        1_000, refused(9, 1_000, 1_000, 0, 0.03), 0.01)))
                .containsExactly("refused at 500 calls/s, CPU of one");
    }

    /** A load of which something is served, or nothing is answered, says nothing of refusals. */
    @Test
    void aLoadIsOnlyRefused() {
        assertThat(fallShort(RefusalFigures.refused(500, refused(9, 500, 499, 0, 0.015), 0.01)))
                .containsExactly("refused at 500 calls/s");
        assertThat(fallShort(RefusalFigures.refused(500, refused(9, 500, 500, 5, 0.015), 0.01)))
                .containsExactly("refused at 500 calls/s");
        assertThat(fallShort(RefusalFigures.refused(500, List.of(), 0.01)))
                .containsExactly("refused at 500 calls/s", "refused at 500 calls/s, CPU of one");
    }

    @Test
    void theOtherLoadIsOnlyServed() {
        RefusalFigures.Cost half = RefusalFigures.served(500, refused(9, 500, 250, 0, 0.1), 0.01);
        assertThat(new RefusalFigures(half, List.of()).lines())
                .singleElement()
                .satisfies(line -> assertThat(line.kept()).isFalse());
    }
}
