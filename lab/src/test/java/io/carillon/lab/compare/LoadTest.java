package io.carillon.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.lab.peers.Application;
import io.carillon.lab.peers.Site;
import io.carillon.lab.process.Folders;
import io.carillon.lab.rig.SippPair;
import io.carillon.sip.hop.Transport;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadTest {
    private static ComparisonSetup trial(String load) {
        LoadShape shape = new LoadShape(List.of(500), 1, 0, 33, 30, 250, load);
        return new ComparisonSetup(ComparisonFolderTest.plan(Path.of("/checkout")).site(), shape);
    }

    private static List<String> command(ComparisonSetup trial, int rate, int seconds) {
        return new CarillonLoad(trial).plan(18_002, rate, seconds).command(Path.of("/results"));
    }

    @Test
    void carillonsLoadIsPinnedAndHasThePortsOfBothSides() {
        assertThat(command(trial("carillon"), 1000, 65))
                .startsWith("taskset", "-c", "1", Folders.launcher(), "load")
                .containsSubsequence("--workload", "proxy200", "--rate", "1000")
                .containsSubsequence("--duration", "65s", "--hold", "250ms")
                .containsSubsequence("--target", "udp:127.0.0.1:18002")
                .containsSubsequence("--caller-port", "18021", "--callee-port", "18011");
    }

    @Test
    void overAStreamTheTargetHasItsTransport() {
        Site udp = trial("carillon").site();
        Site tls =
                new Site(
                        udp.root(),
                        udp.application(),
                        udp.trying(),
                        Transport.TLS,
                        udp.cpus(),
                        udp.ports(),
                        udp.serverArguments(),
                        udp.peerJvm(),
                        List.of(),
                        false);
        ComparisonSetup trial = new ComparisonSetup(tls, trial("carillon").shape());
        assertThat(command(trial, 1, 1)).containsSubsequence("--target", "tls:127.0.0.1:18002");
    }

    @Test
    void callsGoToTheUserThatWasNamed() {
        Application own = new Application("switch", "/home/x/my.war", "desk", "adaptive");
        Site site = ComparisonFolderTest.plan(Path.of("/checkout"), own, false).site();
        ComparisonSetup named = new ComparisonSetup(site, trial("sipp").shape());
        assertThat(named.sippUser()).containsExactly("-s", "desk");
        assertThat(command(named, 1, 1)).containsSubsequence("--to", "desk");
        assertThat(trial("sipp").sippUser()).isEmpty();
        assertThat(command(trial("carillon"), 1, 1)).doesNotContain("--to");
    }

    @Test
    void failedAreThoseThatWereDueAndDidNotComplete() {
        assertThat(CarillonLoad.failed(600, 600, 600)).isZero();
        assertThat(CarillonLoad.failed(600, 601, 601)).isZero();
        assertThat(CarillonLoad.failed(600, 601, 600)).isOne();
        assertThat(CarillonLoad.failed(600, 590, 590)).isEqualTo(10);
    }

    @Test
    void eachNameStandsForItsLoad() {
        assertThat(trial("carillon").load()).isInstanceOf(CarillonLoad.class);
        assertThat(trial("sipp").load()).isInstanceOf(SippLoad.class);
    }

    @Test
    void sippHasThePortsOfTheComparison() {
        var load = trial("sipp").sipp(18_002, 1000, 65_000);
        assertThat(load.above() + SippPair.CALLEE_PORT).isEqualTo(18_011);
        assertThat(load.above() + SippPair.CALLER_PORT).isEqualTo(18_021);
        assertThat(trial("sipp").second(18_002, 1, 1).above()).isEqualTo(load.above() + 2);
    }
}
