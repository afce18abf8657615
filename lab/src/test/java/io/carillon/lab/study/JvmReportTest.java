package io.carillon.lab.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.lab.process.Disturbance;
import io.carillon.lab.rig.RateProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JvmReportTest {
    @TempDir private Path folder;

    @Test
    void everySettingIsInTheBarsTheTableTheChartsAndItsOwnPart() throws IOException {
        String page =
                page(
                        List.of("serial", "g1", "zgc"),
                        List.of(
                                SampleResults.result("serial", 1100, 40, 30, 250),
                                SampleResults.result("g1", 1200, 30, 20, 260),
                                SampleResults.result("zgc", 1200, 5, 0.05, 300)),
                        null);

        for (String name : List.of("serial", "g1", "zgc")) {
            assertThat(page)
                    .contains("<span>" + name + "</span>")
                    .contains("<th scope=\"col\">" + name + "</th>")
                    .contains("\"label\":\"" + name + "\"")
                    .contains("<summary>" + name + ": ");
        }
        assertThat(page).contains("<h2>Use zgc</h2>").contains("1,200/s");
        assertThat(page).doesNotContain("not done yet");
    }

    @Test
    void aSettingThatFailedStandsThereWithItsReason() throws IOException {
        SettingResult failed =
                SettingResult.failed("mine", List.of(), "Unrecognized VM option '<script>'");
        String page =
                page(
                        List.of("mine", "g1"),
                        List.of(failed, SampleResults.result("g1", 1200, 30, 20, 260)),
                        null);

        assertThat(page)
                .contains(
                        "mine could not be measured: Unrecognized VM option &#39;&lt;script&gt;&#39;")
                .contains("<b>failed</b>");
    }

    @Test
    void aStudyThatIsNotDoneSaysSo() throws IOException {
        String page =
                page(
                        List.of("serial", "g1", "zgc"),
                        List.of(SampleResults.result("serial", 1100, 40, 30, 250)),
                        null);

        assertThat(page).contains("2 of 3 settings are not done yet.", "Use serial (so far)");
    }

    @Test
    void aStudyWithoutAnyResultIsAPageToo() throws IOException {
        SettingResult failed = SettingResult.failed("mine", List.of(), "it said nothing");

        assertThat(page(List.of("mine"), List.of(failed), null))
                .contains("No recommendation", "mine could not be measured: it said nothing");
    }

    @Test
    void aBusyMachineAndALoadAtItsEndAreTold() throws IOException {
        SettingResult busy = SampleResults.result("g1", 1200, 30, 20, 260);
        SettingResult limited =
                new SettingResult(
                        "zgc",
                        List.of(),
                        "",
                        List.of(),
                        busy.holds(),
                        2000,
                        true,
                        SampleResults.figures(3, 1, 200, new Disturbance(0.2, 0)),
                        busy.series());

        assertThat(page(List.of("g1", "zgc"), List.of(busy, limited), null))
                .contains("zgc (steal 20.0 %, others 0.0 %)")
                .contains("the true rate is higher: zgc.")
                .contains("at least 2,000/s");
    }

    @Test
    void noRecommendationIsNoSuccess() throws IOException {
        assertThat(page(List.of("g1"), List.of(SampleResults.result("g1", 0, 3, 1, 100)), null))
                .contains("<section class=\"verdict failed\"><h2>No recommendation</h2>");
        assertThat(page(List.of("g1"), List.of(SampleResults.result("g1", 400, 3, 1, 100)), null))
                .contains("<section class=\"verdict\"><h2>Use g1</h2>");
    }

    @Test
    void aSettingThatHeldNoRateSaysSo() throws IOException {
        assertThat(page(List.of("g1"), List.of(SampleResults.result("g1", 0, 3, 1, 100)), null))
                .contains("<summary>g1: no rate held, 100 us per call");
        assertThat(page(List.of("g1"), List.of(SampleResults.result("g1", 400, 3, 1, 100)), null))
                .contains("<summary>g1: 400 calls/s, 100 us per call");
    }

    /** A collector that had nothing to do is not the best one at it. */
    @Test
    void withoutACollectionNothingIsKnownOfTheHeapBehindIt() throws IOException {
        SettingResult made = SampleResults.result("serial", 400, 3, 1, 100);
        SettingResult idle =
                SampleResults.collecting(made, new GcFigures(0, 0, 0, 0, 0, 0, 0, 55e6, 0));

        assertThat(page(List.of("serial", "g1"), List.of(idle, made), null))
                .containsPattern("heap after collections, MiB</th><td>-</td>");
    }

    @Test
    void aSearchThatEndedAtItsLimitSaysSo() throws IOException {
        assertThat(page(List.of("g1"), List.of(SampleResults.result("g1", 6400, 3, 1, 100)), null))
                .contains("at least 6,400/s", "The search ended at 6,400 calls/s (--most-rate)");
        assertThat(page(List.of("g1"), List.of(SampleResults.result("g1", 6000, 3, 1, 100)), null))
                .doesNotContain("at least", "--most-rate)");
    }

    @Test
    void aComparisonAtOneRateShowsWhoWasNotClean() throws IOException {
        SettingResult clean = SampleResults.result("zgc", 400, 3, 1, 100);
        SettingResult dirty = SampleResults.result("serial", 0, 3, 1, 100);
        Path file = folder.resolve("report.html");
        List<SettingResult> results = List.of(clean, dirty);
        JvmReport.write(
                new JvmReport.Content(
                        SampleResults.study(List.of("zgc", "serial"), 400),
                        results,
                        Recommendation.of(results),
                        null),
                file);

        assertThat(Files.readString(file))
                .contains("Who held 400 calls/s", "<b>not clean</b>", "<b>400/s</b>")
                .contains("to the end whether clean or not")
                .doesNotContain("the gap halved");
    }

    @Test
    void theCheckOfTheRecommendationIsTold() throws IOException {
        SettingResult g1 = SampleResults.result("g1", 1200, 30, 20, 260);

        assertThat(page(List.of("g1"), List.of(g1), g1))
                .contains("Checked: started anew at 1,200 calls/s for 60 s, it held it again");
        SettingResult dirty =
                new SettingResult(
                        "g1",
                        List.of(),
                        "",
                        List.of(),
                        List.of(new RateProbe(1200, false, "2 retransmissions", false, false)),
                        0,
                        false,
                        g1.figures(),
                        g1.series());
        assertThat(page(List.of("g1"), List.of(g1), dirty))
                .containsPattern(
                        "class=\"warning\">Checked: .* did not hold it a second time: 2 retr");
    }

    private String page(
            List<String> settings, List<SettingResult> results, @Nullable SettingResult check)
            throws IOException {
        Path file = folder.resolve("report.html");
        JvmReport.write(
                new JvmReport.Content(
                        SampleResults.study(settings), results, Recommendation.of(results), check),
                file);
        return Files.readString(file);
    }
}
