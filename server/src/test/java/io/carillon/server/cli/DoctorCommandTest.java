package io.carillon.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.HomeFolder;
import io.carillon.server.MachineNeeds;
import io.carillon.server.Server;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.doctor.ServerNeeds;
import io.carillon.testkit.SourceApplication;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command on this machine, whatever it is like; the checks are in {@code DoctorTest}. */
class DoctorCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir private Path folder;

    @Test
    void theExitCodeIsThatOfTheWorstFinding() throws Exception {
        int exit = run("doctor", "--watch", "0", "--json", "--config", configuration());

        boolean well = out.toString().matches("(?s).*\"worst\" : \"(ok|note)\".*");
        assertThat(exit).isEqualTo(well ? 0 : 1);
        assertThat(out.toString()).startsWith("{").contains("\"findings\" : [");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void asTextItEndsWithTheCounts() throws Exception {
        run("doctor", "--watch", "0", "--config", configuration());

        assertThat(out.toString()).contains("No server runs here.").endsWith(" well.\n");
    }

    @Test
    void wrongArgumentsAreASentenceAndExitCode2() throws Exception {
        assertThat(run("doctor", "--watch", "-1")).isEqualTo(2);
        assertThat(run("doctor", "--watch", "soon")).isEqualTo(2);
        Path wrong = Files.writeString(folder.resolve("wrong.yaml"), "sipp: {}\n");
        assertThat(run("doctor", "--watch", "0", "--config", wrong.toString())).isEqualTo(2);
        assertThat(err.toString())
                .contains("--watch has to be 0 to 3600 seconds, not -1.0")
                .contains("wrong.yaml:1: unknown key sipp")
                .doesNotContain("\tat ");
    }

    @Test
    void memoryIsNotTakenFromAServerThatRuns() throws Exception {
        String yaml =
                """
                sip: {listen: [udp:127.0.0.1:0], shards: 1}
                http: {listen: 127.0.0.1:0}
                control: {directory: control}
                drain: {transactions: 0 s}
                """;
        Path file = Files.writeString(folder.resolve("server.yaml"), yaml);

        Path uas =
                SourceApplication.build(Path.of("../examples/uas/src/main"), folder.resolve("uas"));

        try (Server _ =
                Server.start(
                        ConfigurationReader.read(file), List.of(uas), new HomeFolder(folder))) {
            assertThat(run("doctor", "--touch", "--watch", "0", "--config", file.toString()))
                    .isEqualTo(2);
        }

        assertThat(err.toString())
                .contains(
                        "--touch takes the memory that a server may need: stop process "
                                + ProcessHandle.current().pid())
                .doesNotContain("\tat ");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void theNeedsAreThoseOfTheConfiguration() throws Exception {
        String yaml =
                """
                sip: {listen: ["udp:[::1]:5070", "tcp:[::1]:5070"], receive-buffer: 8 MiB}
                tcp: {max-connections: 77}
                """;

        ServerNeeds needs = MachineNeeds.of(ConfigurationReader.read("c.yaml", yaml, folder), 123);

        assertThat(needs.receiveBufferBytes()).isEqualTo(8 << 20);
        assertThat(needs.sendBufferBytes()).isEqualTo(4 << 20);
        assertThat(needs.connections()).isEqualTo(77);
        assertThat(needs.ports()).containsExactly(5070);
        assertThat(needs.ipv6()).isTrue();
        assertThat(needs.heapBytes()).isEqualTo(123);
    }

    /** Its control folder is empty: no other server of this machine is meant. */
    private String configuration() throws Exception {
        return Files.writeString(folder.resolve("c.yaml"), "control: {directory: control}\n")
                .toString();
    }

    private int run(String... arguments) {
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments);
    }
}
