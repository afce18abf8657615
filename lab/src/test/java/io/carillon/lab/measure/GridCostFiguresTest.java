package io.carillon.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.lab.measure.GridCostFigures.Waits;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What {@code bench grid} makes of its readings. */
class GridCostFiguresTest {
    private final GridCostFigures figures = new GridCostFigures();

    @Test
    void allLinesHold() {
        readings(1.10, 1.30);
        figures.heap(5_900, 2_000);
        figures.waits(waits(0, 0, 0, 0), waits(500, 980, 990, 1_000));
        assertThat(figures.holds()).isTrue();
        assertThat(figures.report())
                .hasSize(7)
                .anyMatch(line -> line.startsWith("ok    CPU per call, the owner to"))
                .anyMatch(line -> line.contains("2.95; 5900 bytes to 2000"))
                .anyMatch(line -> line.contains("p50 at most 3 ms, p99 at most 15 ms;"))
                .last()
                .isEqualTo("VERDICT: all 6 lines hold");
    }

    @Test
    void theMedianOfThePairsIsJudged() {
        readings(1.10, 1.30);
        figures.owner(3.00, 1);
        figures.owner(1.14, 1);
        figures.waits(waits(0, 0, 0, 0), waits(1_000, 1_000, 1_000, 1_000));
        assertThat(figures.holds()).isTrue();
        figures.owner(1.20, 1);
        figures.owner(1.20, 1);
        assertThat(figures.holds()).isFalse();
        assertThat(figures.report())
                .last()
                .asString()
                .startsWith(
                        "VERDICT: 1 of 5 lines fall short; first: CPU per call, the owner to a server alone:"
                                + " median 1.20 of 5 pairs");
    }

    @Test
    void eachLimitIsOne() {
        figures.waits(waits(0, 0, 0, 0), waits(1_000, 1_000, 1_000, 1_000));
        readings(1.16, 1.0);
        assertShort("CPU per call, the owner");
    }

    @Test
    void ownerAndCopyHaveALimitOfTheirOwn() {
        figures.waits(waits(0, 0, 0, 0), waits(1_000, 1_000, 1_000, 1_000));
        readings(1.0, 1.36);
        assertShort("CPU per call, owner and copy");
    }

    @Test
    void heapAboveThreeTimesFallsShort() {
        readings(1, 1);
        figures.waits(waits(0, 0, 0, 0), waits(1_000, 1_000, 1_000, 1_000));
        figures.heap(3_010, 1_000);
        assertShort("heap per held call");
    }

    @Test
    void halfOfTheMessagesWaitThreeMilliseconds() {
        readings(1, 1);
        figures.waits(waits(0, 0, 0, 0), waits(499, 1_000, 1_000, 1_000));
        assertShort("wait for the record: p50 at most 5 ms, p99 at most 5 ms");
    }

    @Test
    void ofAHundredMessagesOneMayWaitLonger() {
        readings(1, 1);
        figures.waits(waits(0, 0, 0, 0), waits(900, 950, 989, 1_000));
        assertShort("wait for the record: p50 at most 3 ms, p99 at most 50 ms");
    }

    /** The nodes count since their start. */
    @Test
    void whatWasBeforeIsTakenOff() {
        readings(1, 1);
        figures.waits(waits(0, 0, 0, 10_000), waits(1_000, 1_000, 1_000, 11_000));
        assertThat(figures.holds()).isTrue();
        assertThat(figures.report()).anyMatch(line -> line.contains(": 1,000 of 1,000 (all)"));
    }

    @Test
    void aMessageThatLeftUnprotectedFallsShort() {
        readings(1, 1);
        figures.waits(
                new Waits(Map.of(), 0), new Waits(waits(1_000, 1_000, 1_000, 1_000).within(), 999));
        assertShort("messages that left when two nodes held their record: 999 of 1,000");
    }

    @Test
    void nothingMeasuredHolds() {
        assertThat(figures.holds()).isFalse();
        assertThat(figures.report())
                .anyMatch(line -> line.startsWith("SHORT wait for the record: no message waited"))
                .anyMatch(line -> line.contains("owner and copy together to a server alone: not"));
    }

    @Test
    void aLoadThatWasNotCleanFallsShort() {
        readings(1, 1);
        figures.waits(waits(0, 0, 0, 0), waits(1_000, 1_000, 1_000, 1_000));
        figures.fault("load-3: 2 failed calls");
        assertShort("loads: load-3: 2 failed calls");
    }

    @Test
    void noCostIsNoRatio() {
        assertThatThrownBy(() -> figures.owner(1, 0)).hasMessage("1.0 to 0.0 is no ratio of costs");
        assertThatThrownBy(() -> figures.together(Double.NaN, 1)).hasMessageContaining("NaN");
    }

    /** Two nodes, of which each has counted. */
    @Test
    void nodesAreAddedUp() {
        Waits sum = waits(1, 2, 3, 4).plus(waits(10, 20, 30, 40));
        assertThat(new TreeMap<>(sum.within())).isEqualTo(Map.of(3, 11L, 5, 22L, 15, 33L, 50, 44L));
        assertThat(sum.leftProtected()).isEqualTo(44);
    }

    private void assertShort(String line) {
        assertThat(figures.holds()).isFalse();
        assertThat(figures.report())
                .filteredOn(each -> each.startsWith("SHORT "))
                .singleElement()
                .asString()
                .startsWith("SHORT " + line);
        assertThat(figures.report()).last().asString().startsWith("VERDICT: 1 of ");
    }

    private void readings(double owner, double together) {
        figures.owner(owner, 1);
        figures.together(together, 1);
    }

    private static Waits waits(long three, long five, long fifteen, long all) {
        return new Waits(Map.of(3, three, 5, five, 15, fifteen, 50, all), all);
    }
}
