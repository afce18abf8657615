package io.carillon.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.sip.proxy.ProxyPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plays every file under {@code scenarios} against a proxy at 10.0.9.1: the rules of RFC 3261 16
 * and RFC 5393, named by section.
 */
class ScenarioTest {
    static Stream<String> files() throws IOException {
        try (Stream<Path> paths = Files.list(Path.of("src/test/resources/scenarios"))) {
            return paths.map(path -> path.getFileName().toString()).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void plays(String file) throws IOException {
        for (boolean scattered : new boolean[] {false, true}) {
            String text = Files.readString(Path.of("src/test/resources/scenarios", file));
            VirtualTime time = new VirtualTime();
            SimulatedNetwork network = new SimulatedNetwork(time, 1);
            ProxyNode proxy = ProxyNode.start(network, "10.0.9.1", 2, ScenarioTest::targets);
            proxy.policy(policy(text));
            if (scattered) {
                proxy.scattered();
            }
            Scenario.play(file, text, network);
            assertThat(proxy.faults()).isEmpty();
            time.runFor(Duration.ofSeconds(400));
            assertThat(proxy.leftovers()).isEmpty();
        }
    }

    private static List<String> targets(String user) {
        return switch (user) {
            case "bob" -> List.of("sip:bob@10.0.2.1");
            case "both" -> List.of("sip:bob@10.0.2.1", "sip:carol@10.0.3.1");
            case "dead" -> List.of("sip:dead@10.0.8.8");
            case "loop" -> List.of("sip:loop@10.0.9.1");
            case "spiral" -> List.of("sip:bob@10.0.9.1");
            default -> List.of();
        };
    }

    private static ProxyPolicy policy(String text) {
        return ProxyPolicy.builder()
                .recordRoute(true)
                .parallel(!text.contains("# policy: sequential"))
                .recurse(!text.contains("# policy: norecurse"))
                .refuseNarrow(text.contains("# policy: narrow"))
                .addToPath(text.contains("# policy: path"))
                .build();
    }

    @Test
    void patternsMatch() {
        assertThat(Scenario.matches("a*c*", "abcd")).isTrue();
        assertThat(Scenario.matches("*", "")).isTrue();
        assertThat(Scenario.matches("abc", "abcd")).isFalse();
        assertThat(Scenario.matches("a*ca", "aca")).isTrue();
        assertThat(Scenario.matches("ac*ca", "aca")).isFalse();
    }

    @Test
    void aFailureNamesFileAndLine() {
        SimulatedNetwork network = new SimulatedNetwork(new VirtualTime(), 1);
        assertThatThrownBy(
                        () -> Scenario.play("x.txt", "peer a 10.0.1.1:5060\na <- 200\n", network))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("x.txt:2: a <- 200");
    }
}
