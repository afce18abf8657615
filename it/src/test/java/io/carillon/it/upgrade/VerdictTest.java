package io.carillon.it.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.it.place.RestlessCallers;
import io.carillon.lab.load.LoadSummary;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the judge of a rolling upgrade lets pass, and what falls short. */
class VerdictTest {
    private static LoadSummary load(
            long made, Map<String, Long> failed, long again, String limited) {
        return new LoadSummary(
                "b2bua",
                50,
                100,
                made,
                made - sum(failed),
                failed,
                10,
                again,
                0,
                0,
                0,
                1,
                1,
                1,
                1,
                1,
                0,
                0,
                0,
                0,
                0,
                !limited.isEmpty(),
                limited,
                -1,
                0,
                "",
                List.of());
    }

    private static long sum(Map<String, Long> failed) {
        return failed.values().stream().mapToLong(Long::longValue).sum();
    }

    private static LoadSummary good(long made) {
        return load(made, Map.of(), 0, "");
    }

    private static Course course(double left, int owns, long notTaken) {
        Course course = new Course();
        course.add(new Course.Step(0, "new", 2, 10, 0, 40, 341));
        course.add(new Course.Step(1, "new", left, 10, notTaken, 40, owns));
        return course;
    }

    private static boolean passes(Course course, LoadSummary held, LoadSummary passing) {
        return Verdict.of(course, 3, held.made(), held, passing).stream()
                .allMatch(Verdict.Line::good);
    }

    @Test
    void nothingLostPasses() {
        assertThat(passes(course(60, 358, 0), good(100), good(1000))).isTrue();
    }

    @Test
    void aFailedCallAndALostOneFallShort() {
        LoadSummary bad = load(1000, Map.of("BYE 481", 1L), 0, "");
        assertThat(passes(course(2, 341, 0), good(100), bad)).isFalse();
        assertThat(passes(course(2, 341, 0), bad, good(1000))).isFalse();
        assertThat(Verdict.of(course(2, 341, 0), 3, 1000, bad, good(1000)).get(1).toString())
                .isEqualTo(
                        "SHORT 1000 calls held throughout; lost 1; failed in all 1, 1 x BYE 481");
    }

    @Test
    void aCallThatNeverCameAboutIsNotLost() {
        LoadSummary held = load(1000, Map.of("503", 1L), 0, "");
        assertThat(Verdict.of(course(2, 341, 0), 3, 999, held, good(1000)))
                .allMatch(Verdict.Line::good);
    }

    @Test
    void oneOfAThousandMessagesMayBeSentAgain() {
        assertThat(passes(course(2, 341, 0), good(0), load(1000, Map.of(), 14, ""))).isTrue();
        assertThat(passes(course(2, 341, 0), good(0), load(1000, Map.of(), 15, ""))).isFalse();
    }

    @Test
    void aNodeThatStaysTooLongOrTakesTooMuchOrNothingFallsShort() {
        assertThat(passes(course(60.1, 341, 0), good(100), good(1000))).isFalse();
        assertThat(passes(course(2, 360, 0), good(100), good(1000))).isFalse();
        assertThat(passes(course(2, 0, 0), good(100), good(1000))).isFalse();
    }

    @Test
    void aRecordThatCouldNotBeReadFallsShort() {
        assertThat(passes(course(2, 341, 1), good(100), good(1000))).isFalse();
    }

    @Test
    void whatTheLoadGaveUpAtItsEndIsNoFaultAndItsLatenessIsTold() {
        assertThat(passes(course(2, 341, 0), good(100), load(1000, Map.of("stopped", 4L), 0, "")))
                .isTrue();
        List<Verdict.Line> lines =
                Verdict.of(
                        course(2, 341, 0), 3, 100, good(100), load(9, Map.of(), 0, "It was late."));
        assertThat(lines).allMatch(Verdict.Line::good);
        assertThat(lines.getLast().toString()).endsWith("times say little: It was late.");
    }

    @Test
    void aCallOnAConnectionThatFailsFallsShortAndSoDoesATransportWithoutOne() {
        Map<String, Long> made = Map.of("tcp", 3L, "wss", 2L);
        assertThat(Verdict.streams(new RestlessCallers.Calls(made, List.of())).good()).isTrue();
        Verdict.Line failed =
                Verdict.streams(new RestlessCallers.Calls(made, List.of("BYE of x: 481")));
        assertThat(failed.toString()).startsWith("SHORT").endsWith("failed 1, as BYE of x: 481");
        assertThat(
                        Verdict.streams(
                                        new RestlessCallers.Calls(
                                                Map.of("tcp", 3L, "wss", 0L), List.of()))
                                .good())
                .isFalse();
    }

    @Test
    void whatFailsInABrowserCountsAsWellAsWhatFailsOnAnotherConnection() {
        RestlessCallers.Calls streams = new RestlessCallers.Calls(Map.of("tcp", 3L), List.of());
        RestlessCallers.Calls browser =
                new RestlessCallers.Calls(Map.of("JsSIP", 2L), List.of("INVITE 503"));
        Verdict.Line both = Verdict.streams(streams.and(browser));
        assertThat(both.toString())
                .startsWith("SHORT")
                .contains("JsSIP=2", "tcp=3")
                .endsWith("failed 1, as INVITE 503");
        assertThat(
                        Verdict.streams(
                                        streams.and(
                                                new RestlessCallers.Calls(
                                                        Map.of("JsSIP", 0L), List.of())))
                                .good())
                .as("a browser without a call")
                .isFalse();
    }
}
