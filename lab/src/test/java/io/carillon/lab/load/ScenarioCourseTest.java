package io.carillon.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** When SIPp was the bottleneck. */
class ScenarioCourseTest {
    private static final long SECOND = 1_000_000_000L;

    private static ScenarioCourse.Cost cost(long... eachCpuMillis) {
        List<Long> each = Arrays.stream(eachCpuMillis).map(m -> m * 1_000_000).boxed().toList();
        long all = each.stream().mapToLong(Long::longValue).sum();
        return new ScenarioCourse.Cost(new ProcessCosts(all, 0, 0, 0, 0, 0), each);
    }

    /** Two SIPps whose CPU after each second is known. */
    private static LoadSummary summary(ScenarioCourse.Cost... seconds) throws IOException {
        LoadCommand command = new LoadCommand();
        new CommandLine(command).parseArgs("--plain");
        ScenarioCourse course =
                new ScenarioCourse(command.settings(), 0, cost(0, 0), LoadStats.histogram());
        for (int i = 0; i < seconds.length; i++) {
            course.second(
                    (i + 1) * SECOND,
                    SippTables.NONE,
                    LoadStats.histogram(),
                    seconds[i],
                    i == seconds.length - 1);
        }
        return course.summary();
    }

    @Test
    void twoSippsThatShareWhatOneMayUseAreNotTheBottleneck() throws IOException {
        assertThat(summary(cost(890, 890), cost(1700, 1700), cost(0, 0)).generatorLimited())
                .isFalse();
    }

    @Test
    void oneSippThatUsesItsOneCpuIsTheBottleneckHoweverManyThereAre() throws IOException {
        LoadSummary summary = summary(cost(10, 100), cost(20, 1050), cost(0, 0));

        assertThat(summary.generatorLimited()).isTrue();
        assertThat(summary.generatorReason())
                .isEqualTo("The load itself was the bottleneck: a SIPp used all of its one CPU.");
    }

    @Test
    void aSippThatHasEndedCountsForNothing() throws IOException {
        assertThat(summary(cost(800, 100), cost(0, 200), cost(0, 0)).generatorLimited()).isFalse();
    }
}
