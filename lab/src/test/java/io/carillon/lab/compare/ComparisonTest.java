package io.carillon.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.lab.peers.Application;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a comparison that is measured as a whole: no server starts for it. */
class ComparisonTest {
    private static final Application OWN =
            new Application("switch", "/home/x/my.war", "desk", "non-blocking");

    @TempDir private Path folder;

    private String page(ComparisonPlan plan) throws IOException {
        ComparisonFolder results = ComparisonFolder.begin(folder, plan);
        for (int rate : plan.shape().rates()) {
            for (int pair = 0; pair < plan.shape().pairs(); pair++) {
                for (String server : plan.servers()) {
                    results.add(
                            SampleRows.row("kamailio", pair, SampleRows.window(server, rate, 90)));
                }
            }
        }
        PrintStream console =
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        assertThat(new Comparison(plan, results, console).run()).isZero();
        return Files.readString(folder.resolve("table.md"));
    }

    @Test
    void thePageNamesTheArchiveItsModeAndTheUser() throws IOException {
        assertThat(page(ComparisonFolderTest.plan(folder, OWN, false)))
                .startsWith("## switch, 0 s of hold")
                .contains(
                        "Archive /home/x/my.war, whose own execution is non-blocking; calls go to the"
                                + " user desk. Carillon's arguments: `--x`.")
                .contains("The windows lay 200 to 265 s after their server's READY.")
                .doesNotContain("As shipped");
    }

    @Test
    void thePageSaysWhatAsShippedMeans() throws IOException {
        assertThat(page(ComparisonFolderTest.plan(folder, OWN, true)))
                .contains("As shipped: ", "default JVM options", "120 to 600 s after READY");
    }
}
