package io.carillon.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What of a load the summary's costs are of. */
class LoadTotalsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final ProcessCosts NOTHING = new ProcessCosts(0, 0, 0, 0, 0, 0);

    private final LoadStats stats = new LoadStats(LoadSettings.LATE_NANOS);
    private final Sampler sampler = new Sampler(0, true, NOTHING);
    private final LoadTotals tally = new LoadTotals(NOTHING, 0, 0);
    private Snapshot last;

    /** A second in which ten calls are made and each costs the load a millisecond. */
    private void second(int number, boolean ended) {
        for (int i = 0; i < (ended ? 0 : 10); i++) {
            stats.made(stats.isWarm(), 0);
            stats.completed(stats.isWarm());
        }
        last =
                new Snapshot(
                        number * SECOND,
                        10,
                        stats.all().copy(),
                        stats.measured().copy(),
                        stats.takeInterval(),
                        stats.takeLateness(),
                        0,
                        stats.outcomes().soFar(),
                        stats.takeInDialog(),
                        ended,
                        stats.isWarm());
        ProcessCosts cost =
                new ProcessCosts(number * 10_000_000L, 0, 0, 0, number * 20_000_000L, 0);
        tally.add(last, sampler.sample(last, cost), cost);
    }

    private LoadSummary summary() throws IOException {
        LoadCommand command = new LoadCommand();
        long self = ProcessHandle.current().pid();
        new CommandLine(command).parseArgs("--server-pid", Long.toString(self));
        return tally.summary(command.settings(), last, stats, 0, "");
    }

    @Test
    void theWarmUpIsLeftOut() throws IOException {
        second(1, false);
        second(2, false);
        stats.warm();
        second(3, false);
        second(4, false);
        second(5, false);
        LoadSummary summary = summary();
        assertThat(summary.made()).isEqualTo(30);
        assertThat(summary.seconds()).isEqualTo(3);
        assertThat(summary.generatorCpuMicrosPerCall()).isEqualTo(1000);
        assertThat(summary.serverCpuMicrosPerCall()).isEqualTo(2000);
    }

    @Test
    void theEndOfCallsAfterTheLastOneIsLeftOutOfTheCosts() throws IOException {
        stats.warm();
        second(1, false);
        second(2, true);
        second(3, true);
        second(4, true);
        LoadSummary summary = summary();
        assertThat(summary.made()).isEqualTo(10);
        assertThat(summary.seconds()).isEqualTo(2);
        assertThat(summary.generatorCpuMicrosPerCall()).isEqualTo(2000);
    }
}
