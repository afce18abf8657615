package io.carillon.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What Jazzer says, read. */
class JazzerRunTest {
    private final JazzerRun run = new JazzerRun(FuzzTarget.URI, Path.of("."), Path.of("."));

    @Test
    void progressIsRead() {
        run.read("INFO: Loaded 0 hooks from io.carillon.fuzz.UriTarget", 0);
        run.read("#3\tINITED cov: 17 ft: 17 corp: 1/1b exec/s: 0 rss: 700Mb", 1);
        run.read(
                "#1048576\tpulse  cov: 412 ft: 900 corp: 200/9Kb lim: 512 exec/s: 87381 rss: 812Mb",
                12);
        run.read(
                "#2097152\tpulse  cov: 412 ft: 903 corp: 201/9Kb lim: 512 exec/s: 87381 rss: 812Mb",
                24);
        run.read("stat::slowest_unit_time_sec:    1", 24);
        FuzzResult result = run.soFar();
        assertThat(result.executions()).isEqualTo(2_097_152);
        assertThat(result.coverage()).isEqualTo(412);
        assertThat(result.lastNewSeconds()).isEqualTo(12);
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
}
