package io.carillon.lab.overload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Which figures keep the lines, and what the last line of a study says. */
class OverloadVerdictTest {
    /** A server that does all that is asked at five times its capacity. */
    private static final OverloadFigures GOOD = figures(0.90, 1000, 1, 0, 0.01, 0, 10);

    private static OverloadFigures figures(
            double goodput,
            long accepted,
            long failed,
            long ghosts,
            double slow,
            long drops,
            int recovery) {
        return new OverloadFigures(
                100, 500, goodput, goodput, 400, 0, accepted, failed, ghosts, slow, 50, drops, 1,
                100, 10, 0, recovery, "");
    }

    private static List<String> fallShort(int factor, OverloadFigures figures) {
        return FactorLines.of("x", factor, figures, true, true).stream()
                .filter(line -> !line.kept())
                .map(line -> line.subject().replace("x, ", ""))
                .toList();
    }

    @Test
    void aServerAtTheLimitsKeepsEachLine() {
        assertThat(fallShort(5, GOOD)).isEmpty();
        assertThat(fallShort(2, figures(0.95, 1000, 1, 0, 0.01, 0, 10))).isEmpty();
        assertThat(fallShort(10, figures(0.80, 1000, 1, 0, 0.01, 0, 10))).isEmpty();
    }

    @Test
    void goodputHasALimitForEachFactor() {
        assertThat(fallShort(2, figures(0.94, 1000, 0, 0, 0, 0, 0))).containsExactly("goodput");
        assertThat(fallShort(5, figures(0.89, 1000, 0, 0, 0, 0, 0))).containsExactly("goodput");
        assertThat(fallShort(10, figures(0.79, 1000, 0, 0, 0, 0, 0))).containsExactly("goodput");
    }

    @Test
    void eachOtherLineFallsShortByItself() {
        assertThat(fallShort(5, figures(1, 1000, 2, 0, 0, 0, 0)))
                .containsExactly("accepted calls that failed");
        assertThat(fallShort(5, figures(1, 1000, 0, 1, 0, 0, 0)))
                .containsExactly("refused calls that were served all the same");
        assertThat(fallShort(5, figures(1, 1000, 0, 0, 0.011, 0, 0)))
                .containsExactly("requests within dialogs");
        assertThat(fallShort(5, figures(1, 1000, 0, 0, 0, 1, 0)))
                .containsExactly("dropped by the kernel");
        assertThat(fallShort(5, figures(1, 1000, 0, 0, 0, 0, 11)))
                .containsExactly("as before after the load's fall");
    }

    @Test
    void aboveFiveTimesTheKernelMayDrop() {
        assertThat(fallShort(10, figures(1, 1000, 0, 0, 0, 9, 0))).isEmpty();
    }

    @Test
    void aServerThatCarriesMuchMoreThanItsCapacityWasNotMeasured() {
        assertThat(fallShort(2, figures(1.1, 1000, 0, 0, 0, 0, 0))).isEmpty();
        assertThat(fallShort(2, figures(1.11, 1000, 0, 0, 0, 0, 0)))
                .containsExactly("above the capacity");
    }

    @Test
    void aServerThatAcceptsNothingKeepsNoLineOfItsAcceptedCalls() {
        assertThat(fallShort(10, figures(0, 0, 0, 0, 0, 0, 0)))
                .contains("goodput", "accepted calls that failed", "requests within dialogs");
    }

    @Test
    void ofTheContrastNothingIsAsked() {
        assertThat(FactorLines.of("x", 5, figures(0, 9, 9, 9, 1, 9, 99), false, true))
                .allMatch(line -> line.kept() && !line.judged());
    }

    @Test
    void overStreamsNothingIsSaidOfDrops() {
        assertThat(FactorLines.of("x", 5, GOOD, true, false))
                .noneMatch(line -> line.subject().contains("kernel"));
    }

    @Test
    void theLevelAfterAllLoadsIsThatOfBefore() {
        TestServer.Level before = new TestServer.Level(50_000_000, 0, 0);
        assertThat(level(before, new TestServer.Level(60_000_000, 0, 0)).kept()).isTrue();
        assertThat(level(before, new TestServer.Level(90_000_000, 0, 0)).kept()).isFalse();
        assertThat(level(before, new TestServer.Level(50_000_000, 1, 0)).kept()).isFalse();
        assertThat(level(before, new TestServer.Level(50_000_000, 0, 1)).kept()).isFalse();
    }

    private static Line level(TestServer.Level before, TestServer.Level after) {
        return FactorsPart.level(Control.SHEDDING, before, after);
    }

    @Test
    void theLastLineNamesTheFirstThatFellShort() {
        OverloadVerdict kept = verdict(new Line("a", "1", "at least 1", true));
        assertThat(kept.kept()).isTrue();
        assertThat(kept.sentence()).isEqualTo("VERDICT: all 1 lines were kept");
        OverloadVerdict broken =
                verdict(
                        new Line("a", "1", "at least 1", true),
                        new Line("b", "2", "none", false),
                        Line.told("c", "3"));
        assertThat(broken.kept()).isFalse();
        assertThat(broken.sentence())
                .isEqualTo("VERDICT: 1 of 2 lines fell short; first: b: 2 (none)");
    }

    @Test
    void aStudyThatAskedNothingHasKeptNothing() {
        assertThat(verdict(Line.told("c", "3")).kept()).isFalse();
    }

    private static OverloadVerdict verdict(Line... lines) {
        return OverloadVerdict.of(
                List.of(new PartResult("t", "", List.of(lines), List.of(), List.of())));
    }
}
