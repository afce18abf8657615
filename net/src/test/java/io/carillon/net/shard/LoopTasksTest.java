package io.carillon.net.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tasks of a loop, in rounds between which its sockets have their turn. */
class LoopTasksTest {
    private final List<Throwable> failures = new ArrayList<>();
    private final LoopTasks tasks = new LoopTasks(failures::add);
    private final List<Integer> done = new ArrayList<>();

    private void add(int count) {
        for (int i = 0; i < count; i++) {
            int number = i;
            tasks.add(() -> done.add(number));
        }
    }

    @Test
    void aRoundHas512AtMostAndTheNextOneGoesOn() {
        add(600);
        assertThat(tasks.run()).as("an end").isFalse();
        assertThat(done).hasSizeLessThanOrEqualTo(512);
        while (!tasks.run()) {
            assertThat(tasks.isEmpty()).isFalse();
        }
        assertThat(done).isEqualTo(IntStream.range(0, 600).boxed().toList());
        assertThat(tasks.run()).isTrue();
    }

    /** The clock is looked at behind the fourth task, and behind the eighth. */
    @Test
    void aTaskThatTakesLongEndsTheRound() {
        add(4);
        tasks.add(() -> {
            long began = System.nanoTime();
            while (System.nanoTime() - began <= TimeUnit.MILLISECONDS.toNanos(2)) {
                Thread.onSpinWait();
            }
        });
        add(10);
        assertThat(tasks.run()).isFalse();
        assertThat(done).containsExactly(0, 1, 2, 3, 0, 1, 2);
        assertThat(tasks.size()).isEqualTo(7);
    }

    @Test
    void whatATaskThrowsIsToldAndTheNextOneRuns() {
        IllegalStateException thrown = new IllegalStateException("of a task");
        tasks.add(() -> {
            throw thrown;
        });
        add(1);
        assertThat(tasks.run()).isTrue();
        assertThat(failures).containsExactly(thrown);
        assertThat(done).containsExactly(0);
    }
}
