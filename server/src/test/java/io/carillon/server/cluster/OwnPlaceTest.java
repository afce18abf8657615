package io.carillon.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.server.config.ClusterSettings;
import io.carillon.server.start.StartException;
import io.carillon.sip.hop.HostPort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which of the configured nodes a process is. */
class OwnPlaceTest {
    @TempDir private Path folder;

    private static int freePort() throws Exception {
        try (ServerSocket trial = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return trial.getLocalPort();
        }
    }

    private static ClusterSettings of(HostPort... nodes) {
        return new ClusterSettings(
                "east",
                List.of(nodes),
                null,
                null,
                HostPort.of("127.0.0.1", 5060),
                List.of(),
                List.of(),
                Path.of("cluster.key"),
                Duration.ofSeconds(2));
    }

    @Test
    void itIsTheFirstOfThisMachineWhosePortNobodyHas() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            HostPort elsewhere = HostPort.of("192.0.2.1", 7910);
            HostPort here = HostPort.of("127.0.0.1", taken.getLocalPort());
            HostPort free = HostPort.of("127.0.0.1", freePort());
            ClusterSettings own = OwnPlace.of(of(elsewhere, here, free), folder);
            assertThat(own.listen()).isEqualTo(free);
            assertThat(own.member()).isEqualTo(2);
        }
    }

    @Test
    void aSecondOneThatStartsAtTheSameTimeTakesTheNext() throws Exception {
        ClusterSettings both =
                of(HostPort.of("127.0.0.1", freePort()), HostPort.of("127.0.0.1", freePort()));
        assertThat(OwnPlace.of(both, folder).member()).isZero();
        assertThat(OwnPlace.of(both, folder).member()).isOne();
    }

    @Test
    void twoWithFoldersOfTheirOwnThatStartAtTheSameTimeTakeTwoPlaces() throws Exception {
        ClusterSettings both =
                of(HostPort.of("127.0.0.1", freePort()), HostPort.of("127.0.0.1", freePort()));
        assertThat(OwnPlace.of(both, folder.resolve("one")).member()).isZero();
        assertThat(OwnPlace.of(both, folder.resolve("other")).member()).isOne();
    }

    @Test
    void aNameOfAnotherThatIsNotKnownKeepsNobodyFromStarting() throws Exception {
        HostPort unknown = HostPort.of("carillon-0.invalid", 7910);
        HostPort free = HostPort.of("127.0.0.1", freePort());
        assertThat(OwnPlace.of(of(unknown, free), folder).member()).isOne();
    }

    /** As of a container: the name server knows it some seconds after it has started. */
    @Test
    void theOwnNameIsWaitedForAndNotForEver() throws Exception {
        HostPort mine = HostPort.of("carillon-0", freePort());
        AtomicInteger seconds = new AtomicInteger();
        OwnPlace.Names third =
                new OwnPlace.Names(
                        of ->
                                seconds.get() < 3
                                        ? InetSocketAddress.createUnresolved(
                                                of.bareHost(), of.port())
                                        : new InetSocketAddress("127.0.0.1", of.port()),
                        seconds::incrementAndGet);
        assertThat(OwnPlace.of(of(mine), folder, third).member()).isZero();
        assertThat(seconds).hasValue(3);
        seconds.set(0);
        assertThat(OwnPlace.address("cluster.nodes", mine, third).getPort()).isEqualTo(mine.port());
        seconds.set(-1_000);
        assertThatThrownBy(() -> OwnPlace.of(of(mine), folder, third))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("no address is known of [carillon-0:");
        seconds.set(-1_000);
        assertThatThrownBy(() -> OwnPlace.address("cluster.nodes", mine, third))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("no address is known of that name");
    }

    @Test
    void whoIsNoneOfThemIsTold() {
        assertThatThrownBy(() -> OwnPlace.of(of(HostPort.of("192.0.2.1", 7910)), folder))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("none of [192.0.2.1:7910] is an address of this machine")
                .hasMessageContaining("cluster.listen");
    }
}
