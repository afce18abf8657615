package io.carillon.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What probes are answered, in virtual time. */
class HealthBoardTest {
    private final Side side = new Side();
    private String state = "starting";
    private long now;
    private final HealthBoard board = new HealthBoard(side, () -> state, () -> now);

    private static final class Side implements HealthSource {
        private final List<IntConsumer> pulses = new ArrayList<>();
        private final CountDownLatch tried = new CountDownLatch(1);
        private int points = 1;
        private @Nullable String failure;

        @Override
        public int listeningPoints() {
            return points;
        }

        @Override
        public int loops() {
            return 2;
        }

        @Override
        public void pulse(IntConsumer answered) {
            pulses.add(answered);
        }

        @Override
        public @Nullable String databaseFailure() {
            return failure;
        }

        @Override
        public void tryDatabase() {
            tried.countDown();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "starting, 1, '',    false, false",
        "running,  1, '',    true,  true",
        "running,  0, '',    true,  false",
        "running,  1, gone,  true,  false",
        "draining, 1, '',    true,  false",
        "stopping, 1, '',    true,  false",
    })
    void readyAndStarted(String state, int points, String failure, boolean started, boolean ready) {
        this.state = state;
        side.points = points;
        side.failure = failure.isEmpty() ? null : failure;

        assertThat(board.started().up()).isEqualTo(started);
        assertThat(board.ready().up()).isEqualTo(ready);
        assertThat(board.live().up()).isTrue();
        assertThat(board.ready().checks())
                .extracting(Health.Check::name)
                .containsExactly("state", "listening", "database", "loops");
        assertThat(board.ready().json()).contains("\"up\":" + ready).doesNotContain("gone");
    }

    @Test
    void aLoopThatDoesNotAnswerIsNotReadyAndAfterAMinuteTheProcessIsDead() {
        state = "running";
        board.look();
        now = HealthBoard.SLOW_NANOS + 1;
        side.pulses.getFirst().accept(0);
        assertThat(board.ready().up()).isFalse();
        assertThat(board.ready().json()).contains("1 of 2 event loops answer");
        assertThat(board.live().up()).isTrue();

        now = HealthBoard.DEAD_NANOS + 1;
        assertThat(board.live().up()).isFalse();
        side.pulses.getFirst().accept(0);
        side.pulses.getFirst().accept(1);
        assertThat(board.live().up()).isTrue();
        assertThat(board.ready().up()).isTrue();
    }

    /** Without it nobody would: a server that is not ready gets no call that needs it. */
    @Test
    void aDatabaseThatFailedIsTried() throws Exception {
        side.failure = "gone";
        board.look();
        assertThat(side.tried.await(1, TimeUnit.MINUTES)).isTrue();
    }
}
