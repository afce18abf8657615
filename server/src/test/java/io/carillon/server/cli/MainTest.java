package io.carillon.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir private Path folder;

    @Test
    void wrongArgumentsAreASentenceAndExitCode2() {
        assertThat(run("run", "--sip", "sctp:1.2.3.4:5060")).isEqualTo(2);
        assertThat(err.toString())
                .contains("'sctp:1.2.3.4:5060' has to be udp:HOST:PORT or tcp:HOST:PORT")
                .doesNotContain("\tat ");
        assertThat(run("run", "--param", "nonsense")).isEqualTo(2);
        assertThat(run("fly")).isEqualTo(2);
        assertThat(err.toString()).contains("there is no command 'fly'");
        assertThat(run()).isEqualTo(2);
    }

    @Test
    void aWrongConfigurationIsASentenceAndExitCode1() throws Exception {
        Path file = Files.writeString(folder.resolve("c.yaml"), "sipp: {}\n");

        assertThat(run("run", "--config", file.toString())).isEqualTo(1);
        assertThat(err.toString())
                .contains("c.yaml:1: unknown key sipp; allowed: sip, cluster, tcp,")
                .doesNotContain("\tat ");
    }

    @Test
    void aMissingArchiveIsASentenceAndExitCode1() {
        assertThat(run("run", folder.resolve("none.war").toString())).isEqualTo(1);
        assertThat(err.toString())
                .contains("none.war: there is no such file or folder")
                .doesNotContain("\tat ");
    }

    @Test
    void withoutAServerStatusSaysHowToStartOne() throws Exception {
        Path file = Files.writeString(folder.resolve("c.yaml"), "control: {directory: control}\n");

        assertThat(run("status", "--config", file.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("no server is running").contains("./carillon run");
    }

    @Test
    void versionAndHelpArePrinted() {
        assertThat(run("version")).isZero();
        assertThat(out.toString()).startsWith("Carillon ");
        assertThat(run("help")).isZero();
        assertThat(out.toString()).contains("run").contains("status");
    }

    private int run(String... arguments) {
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments);
    }
}
