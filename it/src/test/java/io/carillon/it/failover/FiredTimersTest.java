package io.carillon.it.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.it.failover.FiredTimers.Sum;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the logs of nodes say of timers, against those that were due. */
class FiredTimersTest {
    private static final int DEAD = 1;
    private static final long FROM = 9_000;
    private static final long UNTIL = 10_000;

    @TempDir private Path folder;

    private Sum judge(String... lines) throws IOException {
        Path log = folder.resolve("log");
        Files.write(log, List.of(lines));
        return FiredTimers.read(List.of(log, folder.resolve("of a node that wrote none")))
                .judge(List.of("call 0"), DEAD, FROM, UNTIL);
    }

    @Test
    void onceIsRight() throws IOException {
        assertThat(judge("call 0 9000 9250 1", "other 0 9000 9100 1"))
                .isEqualTo(new Sum(1, 0, 0, 0, 250));
    }

    @Test
    void neverIsCounted() throws IOException {
        assertThat(judge("call 1 9000 9250 1").never()).isOne();
    }

    @Test
    void againIsExplainedWhereItsNodeDiedWithinTheFlush() throws IOException {
        assertThat(judge("call 0 9500 9600 1", "call 0 9500 12000 2"))
                .isEqualTo(new Sum(1, 0, 0, 1, 2_500));
    }

    @Test
    void twiceIsNotExplainedByANodeThatLives() throws IOException {
        assertThat(judge("call 0 9500 9600 0", "call 0 9500 12000 2").twice()).isOne();
        assertThat(judge("call 0 5000 5600 1", "call 0 5000 12000 2").twice()).isOne();
        assertThat(judge("call 0 9500 9600 1", "call 0 9500 12000 2", "call 0 9500 12001 2"))
                .isEqualTo(new Sum(1, 0, 1, 0, 2_501));
    }

    @Test
    void whatIsNoLineOfALogIsSaid() {
        assertThatThrownBy(() -> judge("call 0 9000"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is no timer");
    }
}
