package io.carillon.lab.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.lab.load.LoadSummary;
import io.carillon.lab.process.Json;
import io.carillon.lab.process.Machine;
import io.carillon.lab.rig.CallTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RampTest {
    @TempDir private Path folder;

    @Test
    void theLimitsAreHeldUpToTheRateBeforeTheOneThatBreaksThem() {
        RampVerdict verdict =
                RampVerdict.of(
                        "carillon",
                        List.of(
                                step("carillon", 100, 3, 12, 0),
                                step("kamailio", 100, 90, 90, 0),
                                step("carillon", 200, 25, 50, 0),
                                step("carillon", 300, 24, 50.1, 0),
                                step("carillon", 400, 3, 12, 0)));

        assertThat(verdict.highest()).isEqualTo(200);
        assertThat(verdict.sentence())
                .endsWith(
                        "up to 200 calls/s; at 300 calls/s p95 was 50.1 ms. p50 stayed within 25 ms."
                                + " p95 crossed 50 ms at 300 calls/s.");
    }

    @Test
    void bothCrossingsAreToldWhateverBrokeTheLimitsFirst() {
        RampVerdict verdict =
                RampVerdict.of(
                        "s",
                        List.of(
                                step("s", 100, 3, 12, 1),
                                step("s", 200, 25.1, 49, 0),
                                step("s", 300, 30, 51, 0)));

        assertThat(verdict.sentence())
                .endsWith("p50 crossed 25 ms at 200 calls/s. p95 crossed 50 ms at 300 calls/s.");
    }

    @Test
    void whatBrokeThemIsTold() {
        assertThat(sentence(step("s", 100, 25.1, 26, 0)))
                .contains("at no rate; at 100 calls/s p50 was 25.1 ms.");
        assertThat(sentence(step("s", 100, 1, 2, 7)))
                .contains("at no rate; at 100 calls/s 7 of 1,000 calls failed, 7 by time-out.");
        assertThat(sentence(step("s", 100, 1, 2, 0)))
                .endsWith("up to 100 calls/s, the end of the ramp.");
        assertThat(sentence(step("s", 100, 0, 0, 1000))).contains("1,000 of 1,000 calls failed");
    }

    private static String sentence(RampStep step) {
        return RampVerdict.of("s", List.of(step)).sentence();
    }

    @Test
    void aServerThatFailsMoreThanItCompletesHasCollapsed() {
        assertThat(step("s", 1, 1, 1, 501).isCollapsed()).isTrue();
        assertThat(step("s", 1, 1, 1, 500).isCollapsed()).isFalse();
    }

    @Test
    void failuresAreThoseOfTheCallersAndTimeOutsAreToldApart() {
        LoadSummary summary =
                Json.LINES.readValue(
                        "{\"made\":100,\"completed\":90,\"failed\":{\"408\":3,\"timeout\":2,\"503\":5,"
                                + "\"callee: no ACK\":4},\"retransmissionsSent\":1,\"retransmissionsReceived\":2}",
                        LoadSummary.class);

        RampStep step = RampRun.step("s", 1000, summary, 0.5, 3, false);

        assertThat(step.failed()).isEqualTo(10);
        assertThat(step.timeouts()).isEqualTo(5);
        assertThat(step.retransmissions()).isEqualTo(3);
        assertThat(step.cpuMicrosPerCall()).isEqualTo(500);
    }

    @Test
    void thePageHasEveryServerRateAndLimit() throws IOException {
        RampStudy study = study(List.of("carillon", "<b>peer</b>"));
        List<RampStep> steps =
                List.of(
                        step("carillon", 100, 3, 12, 0),
                        step("<b>peer</b>", 100, 3, 12, 0),
                        step("carillon", 200, 30, 60, 0));

        RampReport.write(new RampReport.Content(study, steps), folder);

        String page = Files.readString(RampReport.page(folder));
        assertThat(page)
                .contains("carillon: 100 calls/s", "&lt;b&gt;peer&lt;/b&gt;: 100 calls/s")
                .contains("25 ms for 50 %", "50 ms for 95 %")
                .contains("\"values\":[12.0,60.0,null]", "\"values\":[12.0,null,null]")
                .doesNotContain("<b>peer");
        assertThat(folder.resolve("report.json")).exists();
    }

    @Test
    void aServerThatHeldNoRateIsNoSuccess() throws IOException {
        RampReport.write(
                new RampReport.Content(
                        study(List.of("good", "bad")),
                        List.of(step("good", 100, 3, 12, 0), step("bad", 100, 30, 60, 0))),
                folder);

        assertThat(Files.readString(RampReport.page(folder)))
                .contains("<section class=\"verdict\"><h2>good: 100 calls/s</h2>")
                .contains("<section class=\"verdict failed\"><h2>bad: no rate held</h2>")
                .doesNotContain(" 0 calls/s");
    }

    @Test
    void theRatesGoFromTheFirstToTheLastOne() {
        assertThat(study(List.of("s")).rates()).containsExactly(100, 200, 300);
    }

    private static RampStudy study(List<String> servers) {
        return new RampStudy(
                "proxy.war",
                "proxy200",
                100,
                350,
                100,
                30,
                60,
                new CallTimes(0, 0),
                servers,
                "0",
                "1",
                new Machine("A processor", 2, 1L << 30, "Linux", "JVM"));
    }

    private static RampStep step(String server, int rate, double p50, double p95, long failed) {
        return new RampStep(
                server,
                rate,
                1000,
                1000 - failed,
                failed,
                failed,
                0,
                0,
                p50,
                p95,
                p95 * 2,
                p95 * 3,
                p95 * 4,
                0.3,
                300,
                0,
                false,
                false);
    }
}
