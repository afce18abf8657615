package io.carillon.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.link.NodeReport;
import org.junit.jupiter.api.Test;

/** What a process uses of its processors. */
class ProcessorUseTest {
    private static final long SECOND = 1_000_000_000L;

    private long cpu = 7 * SECOND;
    private final ProcessorUse use = new ProcessorUse(() -> cpu, 2);

    @Test
    void nothingIsSaidBeforeAWholeWindow() {
        assertThat(use.percent(100 * SECOND)).isEqualTo(NodeReport.NOT_SAID);
        assertThat(use.percent(104 * SECOND)).isEqualTo(NodeReport.NOT_SAID);
    }

    @Test
    void itIsThatOfTheLastWholeWindow() {
        use.percent(-3 * SECOND);
        cpu += 5 * SECOND;
        assertThat(use.percent(2 * SECOND)).as("half of two").isEqualTo(50);
        cpu += SECOND;
        assertThat(use.percent(3 * SECOND)).as("not over yet").isEqualTo(50);
        assertThat(use.percent(7 * SECOND)).isEqualTo(10);
    }

    @Test
    void whereItCannotBeToldNothingIsSaid() {
        cpu = -1;
        use.percent(0);
        assertThat(use.percent(10 * SECOND)).isEqualTo(NodeReport.NOT_SAID);
    }
}
