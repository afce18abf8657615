package io.carillon.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What Jazzer says, read. */
class JazzerRunTest {
    private final JazzerRun run = run(FuzzResult.none(FuzzTarget.URI));

    private static JazzerRun run(FuzzResult before) {
        return new JazzerRun(FuzzTarget.URI, Path.of("."), Path.of("."), before);
    }

    @Test
    void progressIsRead() {
        run.read("INFO: Loaded 0 hooks from io.carillon.fuzz.UriTarget", 0);
        run.read("#3\tINITED cov: 17 ft: 17 corp: 1/1b exec/s: 0 rss: 700Mb", 1);
        run.read(
                "#1048576\tpulse  cov: 412 ft: 900 corp: 200/9Kb lim: 512 exec/s: 87381 rss: 812Mb",
                12);
        run.read(
                "#2097152\tpulse  cov: 412 ft: 903 corp: 201/9Kb lim: 512 exec/s: 87381 rss: 813Mb",
                24);
        run.read("stat::slowest_unit_time_sec:    1", 24);
        FuzzResult result = run.soFar();
        assertThat(result.executions()).isEqualTo(2_097_152);
        assertThat(result.coverage()).isEqualTo(412);
        assertThat(result.lastNew()).isEqualTo(1_048_576);
        assertThat(result.settled()).isEqualTo(1_048_576);
        assertThat(result.megabytes()).isEqualTo(813);
        assertThat(result.corpus()).isEqualTo(201);
        assertThat(result.clean()).isTrue();
    }

    @Test
    void aSlowInputIsAFinding() {
        run.read("stat::slowest_unit_time_sec:    2", 1800);
        assertThat(run.soFar().clean()).isFalse();
    }

    @Test
    void theFirstInputOfAShortRunMayBeSlow() {
        run.read("stat::slowest_unit_time_sec:    2", 24);
        assertThat(run.soFar().clean()).isTrue();
    }

    @Test
    void aFindingIsRead() {
        run.read("artifact_prefix='x/'; Test unit written to x/crash-0a1b", 3);
        assertThat(run.soFar().clean()).isFalse();
        assertThat(run.soFar().finding()).isEqualTo("x/crash-0a1b");
    }

    @Test
    void aFurtherSittingGoesOnFromTheOnesBefore() {
        FuzzResult before =
                new FuzzResult(
                        FuzzTarget.URI, 1_000_000, 412, 300_000, 1800, 1700, 201, 800, 0, "");
        JazzerRun further = run(before);
        further.read("#201\tINITED cov: 412 ft: 900 corp: 201/9Kb exec/s: 0 rss: 700Mb", 2);
        further.read("#500000\tpulse  cov: 412 ft: 900 corp: 201/9Kb exec/s: 9 rss: 700Mb", 60);
        assertThat(further.soFar().lastNew()).isEqualTo(300_000);
        further.read("#600000\tNEW    cov: 413 ft: 901 corp: 202/9Kb exec/s: 9 rss: 700Mb", 70);
        // Loading classes again is no slow input.
        further.read("stat::slowest_unit_time_sec:    1", 70);
        FuzzResult result = further.soFar();
        assertThat(result.executions()).isEqualTo(1_600_000);
        assertThat(result.lastNew()).isEqualTo(1_600_000);
        assertThat(result.seconds()).isEqualTo(1870);
        assertThat(result.clean()).isTrue();
    }
}
