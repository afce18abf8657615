package io.carillon.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Threads that end when the test says so. */
class SharedThreadsTest {
    private static final long TRUSTED = 999;

    private final ArrayDeque<Runnable> begun = new ArrayDeque<>();
    private final List<String> ran = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private final SharedThreads threads =
            new SharedThreads(begun::add, 8, 6, source -> source == TRUSTED);

    private void ask(long source) {
        ask(threads, source, Long.toString(source));
    }

    private void ask(SharedThreads at, long source, String name) {
        at.execute(
                source,
                new SharedThreads.Work() {
                    @Override
                    public void run() {
                        ran.add(name);
                    }

                    @Override
                    public void refuse() {
                        refused.add(name);
                    }
                });
    }

    private void ask(long source, int times) {
        for (int i = 0; i < times; i++) {
            ask(source);
        }
    }

    @Test
    void aSourceHoldsAsManyThreadsAsItLeavesFree() {
        ask(1, 6);
        assertThat(begun).hasSize(4);
        assertThat(threads.waiting()).isEqualTo(2);
        ask(2, 4);
        assertThat(begun).hasSize(6);
        ask(3);
        assertThat(begun).hasSize(7);
    }

    @Test
    void aTrustedSourceMayHoldThemAll() {
        ask(TRUSTED, 9);
        assertThat(begun).hasSize(8);
        assertThat(threads.waiting()).isEqualTo(1);
    }

    @Test
    void aThreadThatIsFreeIsForWhoHoldsFewest() {
        ask(TRUSTED, 5);
        ask(1, 4); // two of them wait: it would leave fewer than it holds
        ask(2, 2); // the second one waits
        assertThat(begun).hasSize(8);
        ask(3);
        begun.removeFirst().run();
        assertThat(threads.waiting()).isEqualTo(3);
        while (!begun.isEmpty()) {
            begun.removeFirst().run();
        }
        assertThat(ran).hasSize(12).containsSubsequence("3", "2", "1");
        assertThat(threads.sources()).as("nobody is remembered").isZero();
        assertThat(threads.waiting()).isZero();
    }

    @Test
    void whereTooManyWaitTheSourceThatHasMostWaitingGivesWay() {
        ask(TRUSTED, 8);
        ask(1, 6);
        assertThat(refused).isEmpty();
        ask(2);
        assertThat(refused).containsExactly("1");
        ask(1);
        assertThat(refused).containsExactly("1", "1");
        ask(TRUSTED);
        assertThat(refused).containsExactly("1", "1", "1");
        assertThat(threads.waiting()).isEqualTo(6);
    }

    @Test
    void whatWaitsIsRefusedWhenThePoolStops() {
        boolean[] stopped = {false};
        SharedThreads stopping =
                new SharedThreads(
                        work -> {
                            if (stopped[0]) {
                                throw new RejectedExecutionException("stopped");
                            }
                            begun.add(work);
                        },
                        1,
                        6,
                        source -> false);
        ask(stopping, 1, "a");
        ask(stopping, 1, "b");
        ask(stopping, 2, "c");
        stopped[0] = true;
        begun.remove().run();
        assertThat(ran).containsExactly("a");
        assertThat(refused).containsExactlyInAnyOrder("b", "c");
        assertThat(stopping.sources()).isZero();
    }
}
