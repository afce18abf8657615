package io.carillon.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import picocli.CommandLine;

/** An option that cannot be is a line on standard error and exit code 2; nothing starts. */
@ResourceLock(Resources.SYSTEM_ERR)
class GridCostTest {
    @TempDir private Path results;

    @Test
    void optionsBeginWhereThereIsSomethingToMeasure() {
        refused("--rate is at least 1, not 0", "--rate", "0");
        refused("--pairs is at least 1, not 0", "--pairs", "0");
        refused("--seconds is at least 1, not -3", "--seconds", "-3");
        refused("--warmup is at least 1, not 0", "--warmup", "0");
        refused("--settle is at least 1, not 0", "--settle", "0");
        refused("--held is at least 0, not -1", "--held", "-1");
    }

    @Test
    void allItsPortsAreThere() {
        refused("--port has 60 ports from it on: 1024 to 65475", "--port", "65476");
        refused("--port has 60 ports from it on: 1024 to 65475", "--port", "80");
    }

    @Test
    void resultsOfTwoRunsAreNotMixed() throws Exception {
        Files.writeString(results.resolve("plan.json"), "{}");
        String said = run(2, "--out", results.toString());
        assertThat(said).contains("is not empty; choose a new one with --out").hasLineCount(1);
    }

    @Test
    void theHelpTellsTheDefaults() {
        StringWriter told = new StringWriter();
        CommandLine line = new CommandLine(new GridCost()).setOut(new PrintWriter(told));
        assertThat(line.execute("--help")).isZero();
        assertThat(told.toString())
                .contains("--rate", "calls/s (1000)", "--pairs", "(5)", "--seconds", "(15)");
    }

    private void refused(String reason, String... arguments) {
        Path folder = results.resolve("out");
        String[] all = new String[arguments.length + 2];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        all[arguments.length] = "--out";
        all[arguments.length + 1] = folder.toString();
        assertThat(run(2, all)).contains("carillon bench grid: " + reason).hasLineCount(1);
        assertThat(Files.exists(folder)).isFalse();
    }

    private static String run(int expected, String... arguments) {
        PrintStream before = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            assertThat(new CommandLine(new GridCost()).execute(arguments)).isEqualTo(expected);
        } finally {
            System.setErr(before);
        }
        return said.toString(StandardCharsets.UTF_8);
    }
}
