package io.carillon.lab.study;

import static io.carillon.lab.study.SampleResults.result;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RecommendationTest {
    @Test
    void theHighestCleanRateWins() {
        Recommendation chosen =
                Recommendation.of(
                        List.of(
                                result("slow", 1000, 1, 0.1, 100),
                                result("fast", 1100, 90, 80, 900)));

        assertThat(chosen.setting()).isEqualTo("fast");
        assertThat(chosen.reason())
                .isEqualTo(
                        "fast held 1,100 calls/s without a lost call or a retransmission, more than 5 % above every"
                                + " other setting.");
    }

    @Test
    void aLoadAtItsEndIsToldWhereItMayHaveDecided() {
        List<SettingResult> results =
                List.of(
                        SampleResults.limited(result("fast", 1000, 9, 0.1, 100)),
                        result("even", 1000, 1, 0.1, 100),
                        SampleResults.limited(result("slow", 100, 1, 0.1, 100)));

        assertThat(Recommendation.of(results).reason())
                .endsWith(
                        "The load was at its end before the server with fast: rates may be higher"
                                + " there, and response times have the load's own waiting in them.");
        assertThat(Recommendation.of(results.subList(1, 2)).reason()).doesNotContain("its end");
    }

    @Test
    void withinFivePercentTheShortestResponseTimeWins() {
        Recommendation chosen =
                Recommendation.of(
                        List.of(
                                result("highest", 1000, 40, 30, 100),
                                result("quick", 951, 12, 30, 400),
                                result("quicker but lower", 949, 2, 0.1, 100)));

        assertThat(chosen.setting()).isEqualTo("quick");
        assertThat(chosen.reason())
                .contains(
                        "quick held 951 calls/s",
                        ", as high as any within 5 %",
                        "shortest p99 response time, 12.0 ms")
                .contains("highest: 1,000 calls/s, p99 40.0 ms")
                .doesNotContain("quicker but lower");
    }

    @Test
    void amongEqualResponseTimesTheShortestPauseWins() {
        Recommendation chosen =
                Recommendation.of(
                        List.of(
                                result("pausing", 1000, 12.0, 30, 100),
                                result("even", 1000, 12.9, 0.2, 400)));

        assertThat(chosen.setting()).isEqualTo("even");
        assertThat(chosen.reason()).contains("shortest longest GC pause, 0.2 ms");
    }

    @Test
    void amongEqualPausesTheLeastCpuWins() {
        Recommendation chosen =
                Recommendation.of(
                        List.of(
                                result("dear", 1000, 12.0, 0.2, 401),
                                result("cheap", 990, 12.5, 0.9, 400)));

        assertThat(chosen.setting()).isEqualTo("cheap");
        assertThat(chosen.reason()).contains("least CPU, 400 us per call");
    }

    @Test
    void aSettingThatFailedOrHeldNothingIsNotRecommended() {
        SettingResult none = result("none", 0, 1, 1, 1);
        SettingResult failed = SettingResult.failed("failed", List.of(), "the JVM did not start");

        assertThat(Recommendation.of(List.of(none, failed)).setting()).isNull();
        assertThat(Recommendation.of(List.of(none, failed)).reason()).contains("No setting");
        assertThat(Recommendation.of(List.of(none, failed, result("g1", 5, 9, 9, 9))).setting())
                .isEqualTo("g1");
    }
}
