package io.carillon.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The user's scenarios, with a shell script in SIPp's place that plays both sides. */
@Timeout(60)
class ScenarioRunTest {
    /** Runs until its standard input ends, which is when it is ended. */
    private static final String RUN = "exec cat";

    private static final String HEADER =
            "TotalCallCreated;CurrentCall;SuccessfulCall(C);FailedCall(C);FailedUnexpectedMessage(C);";

    private @TempDir Path folder;

    private static String table(String values) {
        return "printf '%s\\n%s\\n' '" + HEADER + "' '" + values + "' > side_77_.csv\n";
    }

    private static String responseTime(String millis) {
        return "printf 'Date_ms;response_time_ms;rtd_no\\n1;"
                + millis
                + ";1\\n' > side_77_rtt.csv\n";
    }

    private ScenarioRun run(String caller, String callee, String... arguments) throws IOException {
        Path program =
                Files.writeString(
                        folder.resolve("sipp"),
                        "#!/bin/sh\ncase $2 in *uas.xml)\n" + callee + "\nesac\n" + caller + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        LoadCommand command = new LoadCommand();
        new CommandLine(command).parseArgs(arguments);
        return new ScenarioRun(
                command.settings(),
                new ScenarioRun.Scenarios(
                        program.toString(),
                        folder.resolve("uac.xml"),
                        callee.isEmpty() ? null : folder.resolve("uas.xml"),
                        folder,
                        List.of()),
                new PrintStream(new ByteArrayOutputStream()));
    }

    @Test
    void aCalleesSippThatEndsEndsTheLoad() throws IOException {
        assertThatThrownBy(run(RUN, "exit 254")::run)
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "the callees' SIPp ended with 254; it says why in "
                                + folder.resolve("callee/sipp.log"));
    }

    @Test
    void aCalleesSippThatEndsWellBeforeTheCallersEndsTheLoadToo() throws IOException {
        assertThatThrownBy(run(RUN, "exit 0")::run)
                .hasMessageStartingWith("the callees' SIPp ended with 0; ");
    }

    @Test
    void aCallersSippThatCouldNotRunIsToldAfterItsTablesWereRead() throws IOException {
        Path seconds = folder.resolve("seconds");
        ScenarioRun run =
                run(table("5;0;4;0;0;") + "exit 255", "", "--json-lines", seconds.toString());

        assertThatThrownBy(run::run)
                .hasMessage(
                        "the callers' SIPp ended with 255; it says why in "
                                + folder.resolve("caller/sipp.log"));
        assertThat(seconds).content().contains("\"made\":5");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 97, 99})
    void aSippThatRanIsSummedUp(int code) throws IOException {
        LoadSummary summary = run(table("5;0;4;1;1;") + "exit " + code, "").run();

        assertThat(summary.made()).isEqualTo(5);
        assertThat(summary.failed()).isEqualTo(Map.of(FailureCauses.UNEXPECTED, 1L));
    }

    @Test
    void aSippThatWasAskedToEndMayEndAsItLikes() throws IOException {
        String caller =
                "trap 'exit 255' TERM\n" + table("5;0;4;0;0;") + ": > ready\nwhile :; do :; done";
        ScenarioRun run = run(caller, "");
        Path ready = folder.resolve("caller/ready");
        Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    while (!Files.exists(ready)) {
                        Thread.onSpinWait();
                    }
                    run.stop();
                });

        assertThat(run.run().made()).isEqualTo(5);
    }

    @Test
    void failuresOfTheCalleesAreCountedAsTheirs() throws IOException {
        String caller =
                "until [ -e ../callee/ready ]; do :; done\n" + table("5;0;4;1;0;") + "exit 1";
        String callee = table("5;0;3;2;2;") + ": > ready\n" + RUN;

        assertThat(run(caller, callee).run().failed())
                .isEqualTo(Map.of("other (SIPp)", 1L, "callee: unexpected message", 2L));
    }

    @Test
    void limitsOfResponseTimesAreBrokenWhenNoneIsKnown() throws IOException {
        String caller = table("5;0;5;0;0;");
        String[] limits = {"--max-p99", "100ms", "--max-late", "0", "--max-failed", "0"};

        assertThat(run(caller, "", limits).run().broken())
                .containsExactly(
                        "SIPp told no response time, as the callers' scenario has no rtd or no call came to it: --max-late cannot be judged.",
                        "SIPp told no response time, as the callers' scenario has no rtd or no call came to it: --max-p99 cannot be judged.");
        assertThat(run(caller, "").run().broken()).isEmpty();
        assertThat(run(caller + responseTime("7.5"), "", limits).run().broken()).isEmpty();
    }
}
