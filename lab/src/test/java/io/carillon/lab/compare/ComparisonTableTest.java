package io.carillon.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparisonTableTest {
    private static final List<String> SERVERS = List.of("carillon", "kamailio", "liberty");

    @Test
    void theRatioIsTheMedianOfThePairsNotOfTheMedians() {
        List<StoredWindow> rows =
                List.of(
                        SampleRows.row("kamailio", 0, SampleRows.window("carillon", 500, 100)),
                        SampleRows.row("kamailio", 0, SampleRows.window("kamailio", 500, 200)),
                        SampleRows.row("kamailio", 1, SampleRows.window("kamailio", 500, 100)),
                        SampleRows.row("kamailio", 1, SampleRows.window("carillon", 500, 100)),
                        SampleRows.row("kamailio", 2, SampleRows.window("carillon", 500, 300)),
                        SampleRows.row("kamailio", 2, SampleRows.window("kamailio", 500, 100)));
        ComparisonTable table = new ComparisonTable(SampleRows.shape(3, 500), SERVERS, rows);
        assertThat(table.ratios(500, "kamailio")).containsExactly(0.5, 1.0, 3.0);
        assertThat(line(table, "kamailio")).contains("| 1.00 (0.50 to 3.00; ", "), 3 pairs |");
        assertThat(line(table, "carillon")).contains("| 100 us ", "3 of 3, 3,000 calls");
    }

    @Test
    void windowsOfAnotherDuelMakeNoPair() {
        List<StoredWindow> rows =
                List.of(
                        SampleRows.row("kamailio", 0, SampleRows.window("carillon", 500, 100)),
                        SampleRows.row("liberty", 0, SampleRows.window("liberty", 500, 400)));
        ComparisonTable table = new ComparisonTable(SampleRows.shape(1, 500), SERVERS, rows);
        assertThat(table.ratios(500, "liberty")).isEmpty();
        assertThat(table.ratios(500, "kamailio")).isEmpty();
    }

    @Test
    void aPairWithAWindowThatWasNotCleanHasNoRatioAndTheTableSaysSo() {
        List<StoredWindow> rows =
                List.of(
                        SampleRows.row("kamailio", 0, SampleRows.window("carillon", 500, 100)),
                        SampleRows.row("kamailio", 0, SampleRows.window("kamailio", 500, 100)),
                        SampleRows.row("kamailio", 1, SampleRows.unclean("kamailio", 500)),
                        SampleRows.row("kamailio", 1, SampleRows.window("carillon", 500, 100)),
                        SampleRows.row("liberty", 0, SampleRows.unclean("liberty", 500)));
        ComparisonTable table = new ComparisonTable(SampleRows.shape(2, 500), SERVERS, rows);
        assertThat(table.ratios(500, "kamailio")).containsExactly(1.0);
        assertThat(line(table, "kamailio"))
                .contains("1 of 2, 1,000 calls; elsewhere 10 failed, 3 retransmissions, 2 drops");
        assertThat(line(table, "liberty")).contains("not clean");
    }

    @Test
    void windowsOfABusyMachineAreLeftOut() {
        List<StoredWindow> rows =
                List.of(
                        SampleRows.notCounted(
                                "kamailio", 0, SampleRows.window("carillon", 500, 900)),
                        SampleRows.row("kamailio", 0, SampleRows.window("carillon", 500, 100)),
                        SampleRows.row("kamailio", 0, SampleRows.window("kamailio", 500, 100)));
        ComparisonTable table = new ComparisonTable(SampleRows.shape(1, 500), SERVERS, rows);
        assertThat(table.ratios(500, "kamailio")).containsExactly(1.0);
        assertThat(line(table, "carillon")).contains("| 100 us ", "1 of 1");
        assertThat(line(table, "liberty")).contains("not measured");
    }

    @Test
    void aPairThatWasBegunAnewCountsByItsLastWindows() {
        List<StoredWindow> rows =
                List.of(
                        SampleRows.row("kamailio", 0, SampleRows.window("carillon", 500, 900)),
                        SampleRows.row("kamailio", 0, SampleRows.window("carillon", 500, 200)),
                        SampleRows.row("kamailio", 0, SampleRows.window("kamailio", 500, 100)));
        assertThat(
                        new ComparisonTable(SampleRows.shape(1, 500), SERVERS, rows)
                                .ratios(500, "kamailio"))
                .containsExactly(2.0);
    }

    @Test
    void thePageIsMarkdownWithTheServersExplained() {
        ComparisonTable table =
                new ComparisonTable(
                        SampleRows.shape(1, 500, 1000),
                        List.of("carillon"),
                        List.of(
                                SampleRows.row(
                                        "carillon", 0, SampleRows.window("carillon", 1000, 123))));
        String page = table.page(List.of("## Title"), Map.of("carillon", "what it is"));
        assertThat(page).startsWith("## Title\n\n| Calls/s | Server ");
        assertThat(page).contains("| 1,000   | carillon | 123 us ", "- carillon: what it is.\n");
        assertThat(page.lines().filter(l -> l.startsWith("|")).map(String::length).distinct())
                .hasSize(1);
    }

    private static String line(ComparisonTable table, String server) {
        return table.markdown()
                .lines()
                .filter(l -> l.contains("| " + server + " "))
                .findFirst()
                .orElseThrow();
    }
}
