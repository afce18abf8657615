package io.carillon.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TableTest {
    private static final List<String> SERVERS = List.of("carillon", "kamailio", "liberty");

    @Test
    void theRatioIsTheMedianOfThePairsNotOfTheMedians() {
        List<Row> rows =
                List.of(
                        Made.row("kamailio", 0, Made.window("carillon", 500, 100)),
                        Made.row("kamailio", 0, Made.window("kamailio", 500, 200)),
                        Made.row("kamailio", 1, Made.window("kamailio", 500, 100)),
                        Made.row("kamailio", 1, Made.window("carillon", 500, 100)),
                        Made.row("kamailio", 2, Made.window("carillon", 500, 300)),
                        Made.row("kamailio", 2, Made.window("kamailio", 500, 100)));
        Table table = new Table(Made.shape(3, 500), SERVERS, rows);
        assertThat(table.ratios(500, "kamailio")).containsExactly(0.5, 1.0, 3.0);
        assertThat(line(table, "kamailio")).contains("| 1.00 (0.50 to 3.00; ", "), 3 pairs |");
        assertThat(line(table, "carillon")).contains("| 100 us ", "3 of 3, 3,000 calls");
    }

    @Test
    void windowsOfAnotherDuelMakeNoPair() {
        List<Row> rows =
                List.of(
                        Made.row("kamailio", 0, Made.window("carillon", 500, 100)),
                        Made.row("liberty", 0, Made.window("liberty", 500, 400)));
        Table table = new Table(Made.shape(1, 500), SERVERS, rows);
        assertThat(table.ratios(500, "liberty")).isEmpty();
        assertThat(table.ratios(500, "kamailio")).isEmpty();
    }

    @Test
    void aPairWithAWindowThatWasNotCleanHasNoRatioAndTheTableSaysSo() {
        List<Row> rows =
                List.of(
                        Made.row("kamailio", 0, Made.window("carillon", 500, 100)),
                        Made.row("kamailio", 0, Made.window("kamailio", 500, 100)),
                        Made.row("kamailio", 1, Made.unclean("kamailio", 500)),
                        Made.row("kamailio", 1, Made.window("carillon", 500, 100)),
                        Made.row("liberty", 0, Made.unclean("liberty", 500)));
        Table table = new Table(Made.shape(2, 500), SERVERS, rows);
        assertThat(table.ratios(500, "kamailio")).containsExactly(1.0);
        assertThat(line(table, "kamailio"))
                .contains("1 of 2, 1,000 calls; elsewhere 10 failed, 3 retransmissions, 2 drops");
        assertThat(line(table, "liberty")).contains("not clean");
    }

    @Test
    void windowsOfABusyMachineAreLeftOut() {
        List<Row> rows =
                List.of(
                        Made.notCounted("kamailio", 0, Made.window("carillon", 500, 900)),
                        Made.row("kamailio", 0, Made.window("carillon", 500, 100)),
                        Made.row("kamailio", 0, Made.window("kamailio", 500, 100)));
        Table table = new Table(Made.shape(1, 500), SERVERS, rows);
        assertThat(table.ratios(500, "kamailio")).containsExactly(1.0);
        assertThat(line(table, "carillon")).contains("| 100 us ", "1 of 1");
        assertThat(line(table, "liberty")).contains("not measured");
    }

    @Test
    void aPairThatWasBegunAnewCountsByItsLastWindows() {
        List<Row> rows =
                List.of(
                        Made.row("kamailio", 0, Made.window("carillon", 500, 900)),
                        Made.row("kamailio", 0, Made.window("carillon", 500, 200)),
                        Made.row("kamailio", 0, Made.window("kamailio", 500, 100)));
        assertThat(new Table(Made.shape(1, 500), SERVERS, rows).ratios(500, "kamailio"))
                .containsExactly(2.0);
    }

    @Test
    void thePageIsMarkdownWithTheServersExplained() {
        Table table =
                new Table(
                        Made.shape(1, 500, 1000),
                        List.of("carillon"),
                        List.of(Made.row("carillon", 0, Made.window("carillon", 1000, 123))));
        String page = table.page(List.of("## Title"), Map.of("carillon", "what it is"));
        assertThat(page).startsWith("## Title\n\n| Calls/s | Server ");
        assertThat(page).contains("| 1,000   | carillon | 123 us ", "- carillon: what it is.\n");
        assertThat(page.lines().filter(l -> l.startsWith("|")).map(String::length).distinct())
                .hasSize(1);
    }

    private static String line(Table table, String server) {
        return table.markdown()
                .lines()
                .filter(l -> l.contains("| " + server + " "))
                .findFirst()
                .orElseThrow();
    }
}
