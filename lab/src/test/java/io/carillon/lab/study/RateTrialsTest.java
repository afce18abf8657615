package io.carillon.lab.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.lab.load.LoadSummary;
import io.carillon.lab.process.Disturbance;
import io.carillon.lab.process.Json;
import io.carillon.lab.rig.RateProbe;
import org.junit.jupiter.api.Test;

/** What makes a rate clean, and what does not. */
class RateTrialsTest {
    private static final Disturbance NONE = new Disturbance(0, 0);

    @Test
    void aLoadWithoutAnyFaultIsClean() {
        assertThat(verdict("{}", 0, NONE)).isEqualTo(new RateProbe(100, true, "", false, false));
    }

    @Test
    void whateverFailsIsRepeatedOrDroppedMakesItUnclean() {
        assertUnclean("{\"failed\":{\"503\":2,\"timeout\":1}}", 0, "3 failed calls");
        assertUnclean("{\"retransmissionsSent\":1}", 0, "1 retransmission");
        assertUnclean("{\"retransmissionsReceived\":1200}", 0, "1,200 retransmissions");
        assertUnclean("{}", 7, "7 datagrams dropped at the server");
        assertUnclean("{\"generatorDrops\":1}", 0, "1 datagram dropped at the load");
    }

    @Test
    void aLoadAtItsEndProvesNothing() {
        RateProbe probe =
                verdict("{\"generatorLimited\":true,\"generatorReason\":\"CPU\"}", 0, NONE);

        assertThat(probe)
                .isEqualTo(new RateProbe(100, false, "the load was at its end: CPU", false, true));
    }

    @Test
    void aBusyMachineIsTold() {
        assertThat(verdict("{}", 0, new Disturbance(0.06, 0)).disturbed()).isTrue();
        assertThat(verdict("{}", 0, new Disturbance(0, 0.06)).disturbed()).isTrue();
        assertThat(verdict("{}", 0, new Disturbance(0.04, 0.04)).disturbed()).isFalse();
    }

    private static void assertUnclean(String summary, long drops, String reason) {
        assertThat(verdict(summary, drops, NONE))
                .isEqualTo(new RateProbe(100, false, reason, false, false));
    }

    private static RateProbe verdict(String summary, long drops, Disturbance machine) {
        LoadSummary read = Json.LINES.readValue(summary, LoadSummary.class);
        return RateTrials.verdict(100, read, drops, machine);
    }

    @Test
    void aSummaryWithoutCausesHasNoFailures() {
        assertThat(RateTrials.failed(Json.LINES.readValue("{}", LoadSummary.class))).isZero();
    }
}
