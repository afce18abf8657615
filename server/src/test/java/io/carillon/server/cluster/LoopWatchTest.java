package io.carillon.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** A node whose event loops stand still while its cluster thread goes on. */
class LoopWatchTest {
    private final List<Runnable> waiting = new ArrayList<>();
    private boolean runs = true;
    private final Executor loop =
            task -> {
                if (runs) {
                    task.run();
                } else {
                    waiting.add(task);
                }
            };
    private final LoopWatch watch = new LoopWatch(List.of(Runnable::run, loop));

    private boolean ticks(int count) {
        boolean hangs = false;
        for (int i = 0; i < count; i++) {
            hangs = watch.hangs();
        }
        return hangs;
    }

    @Test
    void loopsThatRunHangNever() {
        assertThat(ticks(10 * LoopWatch.SILENT_TICKS)).isFalse();
    }

    @Test
    void aLoopThatDoesNothingHangsAfterAWhileUntilItGoesOn() {
        ticks(LoopWatch.SILENT_TICKS);
        runs = false;
        assertThat(ticks(LoopWatch.SILENT_TICKS - 1)).isFalse();
        assertThat(ticks(LoopWatch.SILENT_TICKS)).isTrue();
        assertThat(waiting).as("asked once").hasSize(1);
        runs = true;
        waiting.forEach(Runnable::run);
        assertThat(ticks(2 * LoopWatch.SILENT_TICKS)).isFalse();
    }
}
