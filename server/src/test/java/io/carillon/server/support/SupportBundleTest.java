package io.carillon.server.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a bundle says of parts that are not in it. */
class SupportBundleTest {
    @TempDir private Path folder;

    @Test
    void aMissingPartIsNamedWithItsReason() throws Exception {
        try (SupportBundle bundle = SupportBundle.create(folder.resolve("a.zip"))) {
            bundle.add("log.txt", "its last lines", () -> "all is well");
            bundle.add("status.txt", "the status", SupportBundleTest::silent);
            bundle.add("metrics.txt", "counters", SupportBundleTest::silent);

            assertThat(bundle.missing())
                    .isEqualTo("missing: status.txt (no answer), metrics.txt (no answer)");
            assertThat(bundle.contents())
                    .contains("status.txt                   MISSING: the status: no answer");
        }
    }

    @Test
    void whatIsNotOfThisMachineIsNotMissing() throws Exception {
        try (SupportBundle bundle = SupportBundle.create(folder.resolve("a.zip"))) {
            bundle.add(
                    "journal.txt",
                    "the journal",
                    () -> {
                        throw new SupportBundle.NotHere("this machine has no journalctl");
                    });

            assertThat(bundle.missing()).isEqualTo("nothing is missing");
            assertThat(bundle.contents())
                    .containsExactly(
                            "journal.txt                  none: this machine has no journalctl");
        }
    }

    private static String silent() throws IOException {
        throw new IOException("no answer");
    }
}
