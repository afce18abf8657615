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

    private long now;
    private final List<String> gaveWay = new ArrayList<>();
    private final ArrayDeque<Runnable> begun = new ArrayDeque<>();
    private final List<String> ran = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private final SharedThreads threads =
            new SharedThreads(begun::add, 8, 6, source -> source == TRUSTED, () -> now);

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

    /** Work that waits for its visitor for ever. */
    private final class Stalling implements SharedThreads.Work {
        private final String name;

        Stalling(String name) {
            this.name = name;
        }

        @Override
        public void run() {
            ran.add(name);
        }

        @Override
        public void refuse() {
            refused.add(name);
        }

        @Override
        public boolean stalls() {
            return true;
        }

        @Override
        public void giveWay() {
            gaveWay.add(name);
        }
    }

    private void stalling(long source, String name) {
        threads.execute(source, new Stalling(name));
    }

    /** Four sources have all threads: 4, 2, 1 and 1. */
    private void fewHoldAll() {
        for (int i = 0; i < 4; i++) {
            stalling(1, "a" + i);
        }
        stalling(2, "b0");
        stalling(2, "b1");
        stalling(3, "c");
        stalling(4, "d");
        assertThat(begun).hasSize(8);
        assertThat(gaveWay).isEmpty();
    }

    @Test
    void whereNoThreadIsFreeTheSourceWithMostMakesRoomForWhoHoldsNone() {
        fewHoldAll();
        ask(5);
        assertThat(gaveWay).containsExactly("a0");
        threads.look();
        assertThat(gaveWay).as("one for one").hasSize(1);
        ask(6);
        assertThat(gaveWay).containsExactly("a0", "a1");
        stalling(1, "more of a source that holds some");
        threads.look();
        assertThat(gaveWay).hasSize(2);
        begun.removeFirst().run(); // a0 ends
        begun.getLast().run();
        assertThat(ran).containsExactly("a0", "5");
    }

    @Test
    void whoHasOneThreadKeepsItForAWhile() {
        for (int source = 1; source <= 8; source++) {
            now += 1_000;
            stalling(source, "s" + source);
        }
        ask(9);
        now += SharedThreads.OWN_NANOS - 8_000;
        threads.look();
        assertThat(gaveWay).isEmpty();
        now += 1_000;
        threads.look();
        assertThat(gaveWay).containsExactly("s1");
        now += SharedThreads.OWN_NANOS;
        threads.look();
        assertThat(gaveWay).hasSize(1);
    }

    @Test
    void whatWorksOrIsTrustedMakesNoRoom() {
        ask(1, 4);
        ask(2, 2);
        stalling(TRUSTED, "t");
        ask(3);
        now += 2 * SharedThreads.OWN_NANOS;
        ask(4);
        threads.look();
        assertThat(begun).hasSize(8);
        assertThat(gaveWay).isEmpty();
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
                        source -> false,
                        () -> 0);
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
