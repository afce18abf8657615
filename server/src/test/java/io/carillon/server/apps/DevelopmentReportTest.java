package io.carillon.server.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What carillon watch tells its server fits into one command. */
class DevelopmentReportTest {
    @Test
    void itIsReadAsItWasWritten() {
        DevelopmentReport report =
                DevelopmentReport.of(
                        "/src/shop",
                        "2026-01-01T00:00:00Z",
                        false,
                        "NOT DEPLOYED: 1 error",
                        List.of("Shop.java:14: error: ';' expected\n    int calls = 0"));
        assertThat(report.line()).doesNotContain("\n");
        assertThat(DevelopmentReport.read(report.line())).isEqualTo(report);
    }

    @Test
    void ofVeryManyProblemsTheFirstOnesAreTold() {
        String wide = "\u2028".repeat(5_000);
        DevelopmentReport report =
                DevelopmentReport.of(wide, "", false, wide, Collections.nCopies(5_000, wide));
        String line = report.line();
        assertThat(line.getBytes(StandardCharsets.UTF_8).length).isLessThan(16 << 10);
        DevelopmentReport read = DevelopmentReport.read(line);
        assertThat(read.problems()).isNotEmpty().hasSizeLessThan(20);
        assertThat(read.problems().size() + read.more()).isEqualTo(5_000);
    }
}
