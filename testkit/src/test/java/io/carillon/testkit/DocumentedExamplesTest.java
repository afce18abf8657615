package io.carillon.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The examples of docs/guides/testkit.md, line by line: they compile, they pass, and they stand
 * there.
 */
class DocumentedExamplesTest {
    private static final Path SOURCE =
            Path.of("src/test/java/io/carillon/testkit/DocumentedExamplesTest.java");

    @Test
    void aCall() {
        VirtualTime time = new VirtualTime();
        SimulatedNetwork network = new SimulatedNetwork(time, 1);
        UserAgent alice = UserAgent.start(network, "alice", "10.0.1.1", 5060);
        UserAgent bob = UserAgent.start(network, "bob", "10.0.2.1", 5060);
        bob.onCall(Call::ring);

        Call call = alice.call(bob.uri());
        time.runFor(Duration.ofMillis(100));
        assertThat(call.state()).isEqualTo(Call.State.EARLY);

        bob.lastCall().answer();
        time.runFor(Duration.ofMillis(100));
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);

        call.bye();
        time.runFor(Duration.ofSeconds(70));
        assertThat(call.ending()).isEqualTo(Ending.RELEASED_HERE);
        assertThat(alice.leftovers() + bob.leftovers()).isEmpty();
        call.story().forEach(System.out::println);
    }

    @Test
    void simulation() {
        Simulation.Summary summary =
                Simulation.through((network, host, targets) ->
                                ProxyNode.start(network, host, 3, targets))
                        .invariant(run -> assertThat(run.faults()).isEmpty())
                        .runSeeds(100);
        assertThat(summary.calls()).isPositive();
    }

    @Test
    void theExamplesStandInTheDocument() throws IOException {
        String source = squeezed(Files.readString(SOURCE));
        String document = Files.readString(Path.of("../docs/guides/testkit.md"));
        for (String heading : List.of("## A call", "## Simulation")) {
            int start = document.indexOf("```java", document.indexOf(heading)) + "```java".length();
            String block = document.substring(start, document.indexOf("```", start));
            assertThat(source).as(heading).contains(squeezed(block));
        }
    }

    /** Without comments at the ends of lines, and without white space. */
    private static String squeezed(String code) {
        StringBuilder text = new StringBuilder();
        for (String line : code.lines().toList()) {
            int comment = line.indexOf("  //");
            text.append((comment < 0 ? line : line.substring(0, comment)).replace(" ", ""));
        }
        return text.toString();
    }
}
