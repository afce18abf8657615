package io.carillon.lab.overload;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.lab.load.LoadSample;
import io.carillon.lab.load.Outcomes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/** What the parts with several loads ask, by hand. */
class OverloadPartsTest {
    private static LoadSample second(int number, long made, long failed, Outcomes outcomes) {
        return new LoadSample(
                number,
                false,
                made,
                made,
                made - failed,
                failed,
                0,
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
                0.1,
                0,
                -1,
                0,
                1,
                outcomes);
    }

    private static Outcomes good(long good, long refused) {
        return new Outcomes(0, good, good, 0, refused, 0, 0, good, 0);
    }

    /** A load of one second. */
    private static LoadCourse course(long made, long good, long refused) {
        return new LoadCourse(0, 1, 0, List.of(second(1, made, refused, good(good, refused))), "");
    }

    private static List<String> fallShort(List<Line> lines) {
        return lines.stream().filter(line -> !line.kept()).map(Line::subject).toList();
    }

    private static Map<String, LoadCourse> emergency(long succeeded, long ofStranger) {
        return Map.of(
                "others",
                course(1000, 200, 800),
                "the mark of a stranger",
                course(1000, ofStranger, 1000 - ofStranger),
                "emergency",
                course(100, succeeded, 100 - succeeded));
    }

    @Test
    void emergencyCallsOfATrustedPeerSucceedAndTheMarkOfAStrangerGivesNothing() {
        assertThat(fallShort(SourcesPart.emergencyLines(emergency(99, 240)))).isEmpty();
        assertThat(fallShort(SourcesPart.emergencyLines(emergency(98, 200))))
                .containsExactly("emergency calls of the trusted peer that succeeded");
        assertThat(fallShort(SourcesPart.emergencyLines(emergency(100, 260))))
                .containsExactly("calls with the same mark that nobody trusts");
    }

    @Test
    void aSlowApplicationIsShedAndTheOtherHasNoFailure() {
        LoadCourse whole = course(100, 100, 0);
        LoadCourse shed = course(750, 0, 500);
        assertThat(fallShort(SourcesPart.slowLines(Map.of("slow", shed, "other", whole))))
                .isEmpty();
        assertThat(
                        fallShort(
                                SourcesPart.slowLines(
                                        Map.of("slow", shed, "other", course(100, 99, 1)))))
                .containsExactly("calls of the other application that failed");
        assertThat(
                        fallShort(
                                SourcesPart.slowLines(
                                        Map.of("slow", course(750, 0, 0), "other", whole))))
                .containsExactly("calls of the slow application that were refused");
    }

    private static List<LoadSample> seconds(int count, IntUnaryOperator good) {
        List<LoadSample> seconds = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            seconds.add(second(i, 100, 0, good(good.applyAsInt(i), 0)));
        }
        return seconds;
    }

    @Test
    void aColdServerIsComparedFromTheFifthSecondOnWithItselfAtItsCapacity() {
        List<LoadSample> alone = seconds(12, second -> 100);
        assertThat(ColdPart.line(alone, seconds(12, second -> second < 4 ? 0 : 80)).kept())
                .isTrue();
        assertThat(ColdPart.line(alone, seconds(12, second -> second < 8 ? 100 : 79)).kept())
                .isFalse();
        // What it does not carry at its capacity either is not asked of it.
        List<LoadSample> slow = seconds(12, second -> second < 8 ? 20 : 100);
        assertThat(ColdPart.line(slow, slow).kept()).isTrue();
    }

    @Test
    void aColdStartThatIsTooShortIsNoSuccess() {
        List<LoadSample> few = seconds(4, second -> 100);
        assertThat(ColdPart.line(few, few).kept()).isFalse();
    }
}
