package io.carillon.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What the command says without trying anything. */
class FuzzCommandTest {
    @Test
    void whatWasTriedSoFarIsShown(@TempDir Path folder) throws IOException {
        FuzzTotals.write(
                new FuzzResult(FuzzTarget.URI, 1_234_567, 412, 300_000, 60, 50, 20, 480, 0, ""),
                Files.createDirectories(folder.resolve("uri")));
        PrintStream before = System.out;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            assertThat(run("--show", "--out", folder.toString())).isZero();
        } finally {
            System.setOut(before);
        }
        assertThat(said.toString(StandardCharsets.UTF_8).lines())
                .hasSize(3)
                .anyMatch(line -> line.matches("uri +1,234,567 +60 +24,691 +412 +300,000 .*"))
                .anyMatch(line -> line.matches("all +1,234,567"));
    }

    @Test
    void showingDoesNotGoWithRuns() {
        assertThat(run("--show", "--runs", "5")).isEqualTo(2);
    }

    private static int run(String... arguments) {
        return new CommandLine(new FuzzCommand()).execute(arguments);
    }
}
