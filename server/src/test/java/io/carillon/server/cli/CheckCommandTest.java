package io.carillon.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.testkit.SourceApplication;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command as a user types it; no server runs. */
class CheckCommandTest {
    @TempDir private Path folder;
    private String said = "";

    private int type(String... arguments) {
        CommandLine line = Main.commandLine();
        StringWriter text = new StringWriter();
        line.setOut(new PrintWriter(text, true));
        line.setErr(new PrintWriter(text, true));
        int exit = line.execute(arguments);
        said = text.toString();
        return exit;
    }

    @Test
    void anExampleHasNothingInItsWay() throws Exception {
        Path uas =
                SourceApplication.build(Path.of("../examples/uas/src/main"), folder.resolve("uas"));
        assertThat(type("check", uas.toString())).isZero();
        assertThat(said)
                .startsWith("uas: application uas, ")
                .contains("ALL: (\"uas\", \"DAR:From\"")
                .endsWith("Nothing is in its way.\n");
        assertThat(type("check", uas.toString(), "--json")).isZero();
        assertThat(said).contains("\"application\" : \"uas\"").contains("\"findings\" : [ ]");
    }

    @Test
    void whatDoesNotRunIsExitCode1() throws Exception {
        Path bad = Files.createDirectories(folder.resolve("bad/WEB-INF")).getParent();
        Files.writeString(bad.resolve("WEB-INF/sip.xml"), "<sip-app><servlet/></sip-app>");
        assertThat(type("check", bad.toString())).isEqualTo(1);
        assertThat(said)
                .contains("error    bad!/WEB-INF/sip.xml:1: <servlet>: needs <servlet-name>")
                .endsWith("It will not run as it is.\n");
    }

    @Test
    void whatCannotBeOpenedIsExitCode2() throws Exception {
        Path text = Files.writeString(folder.resolve("t.war"), "no zip");
        assertThat(type("check", text.toString())).isEqualTo(2);
        assertThat(said.lines())
                .singleElement()
                .asString()
                .startsWith("carillon: t.war: broken archive");
        assertThat(type("check")).isEqualTo(2);
    }
}
