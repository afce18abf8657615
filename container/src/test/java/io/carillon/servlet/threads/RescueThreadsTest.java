package io.carillon.servlet.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.guard.Sources;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Who gets a platform thread, without a thread: work that sleeps is work that has not ended. */
class RescueThreadsTest {
    private static final int THREADS = 64;

    /** A quarter of what it leaves free. */
    private static final int ALONE = 13;

    /** Work that sleeps until it is told. */
    private static final class Sleeper implements RescueThreads.Job {
        final int place;
        boolean claimed;
        boolean began;

        Sleeper(int place) {
            this.place = place;
        }

        @Override
        public int place() {
            return place;
        }

        @Override
        public boolean begun() {
            return claimed;
        }

        @Override
        public boolean claim() {
            boolean first = !claimed;
            claimed = true;
            return first;
        }

        @Override
        public void perform() {
            began = true;
        }

        @Override
        public void run() {
            throw new AssertionError("a virtual thread does that");
        }
    }

    /** Threads that are held, by what they run. */
    private final ArrayDeque<Runnable> held = new ArrayDeque<>();

    private final RescueThreads threads = new RescueThreads(held::add, THREADS);

    private List<Sleeper> send(int place, int count) {
        List<Sleeper> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Sleeper one = new Sleeper(place);
            all.add(one);
            threads.add(one);
        }
        return all;
    }

    /** The work that has its thread for longest ends. */
    private void oneEnds() {
        held.remove().run();
    }

    @Test
    void aSourceAloneHoldsAPart() {
        send(1, 100);
        assertThat(held).hasSize(ALONE);
        assertThat(threads.waiting()).isEqualTo(100 - ALONE);
    }

    @Test
    void severalSourcesWhoseWorkSleepsLeaveAThreadForTheNext() {
        for (int place = 1; place <= 8; place++) {
            send(place, 100);
        }
        int before = held.size();
        assertThat(before).isLessThanOrEqualTo(THREADS - 8);
        send(9, 1);
        assertThat(held).hasSize(before + 1);
    }

    @Test
    void aFreeThreadIsForTheSourcesInTheirTurn() {
        List<Sleeper> many = send(1, 50);
        List<Sleeper> others = send(2, 50);
        while (!held.isEmpty()) {
            oneEnds();
        }
        assertThat(many).allMatch(one -> one.began);
        assertThat(others).allMatch(one -> one.began);
        assertThat(threads.ran()).isEqualTo(100);
        assertThat(threads.waiting()).isZero();
        assertThat(threads.sources()).as("nobody is remembered").isZero();
    }

    @Test
    void whatBeginsOnItsVirtualThreadIsLeftOut() {
        send(1, ALONE);
        List<Sleeper> waiting = send(1, 3);
        assertThat(waiting.get(0).claim()).isTrue();
        oneEnds();
        oneEnds();
        assertThat(waiting.get(1).claimed).as("begins when its thread does").isFalse();
        assertThat(held).hasSize(ALONE);
        assertThat(waiting.get(2).claim()).isTrue();
        threads.sweep();
        assertThat(threads.waiting()).isZero();
        while (!held.isEmpty()) {
            oneEnds();
        }
        assertThat(waiting).extracting(one -> one.began).containsExactly(false, true, false);
    }

    @Test
    void whatHasBegunElsewhereIsForgotten() {
        send(1, ALONE);
        List<Sleeper> waiting = send(1, 1_000);
        waiting.forEach(Sleeper::claim);
        assertThat(threads.waiting()).isEqualTo(1_000);
        threads.sweep();
        assertThat(threads.waiting()).isZero();
        assertThat(threads.sources()).isEqualTo(1);
    }

    @Test
    void whatNoSourceAskedForHasNoShare() {
        send(Sources.NOBODY, 100);
        assertThat(held).hasSize(THREADS);
    }

    @Test
    void afterTheEndNothingIsHeld() {
        RescueThreads stopping =
                new RescueThreads(
                        task -> {
                            throw new RejectedExecutionException();
                        },
                        THREADS);
        Sleeper one = new Sleeper(1);
        stopping.add(one);
        assertThat(one.claimed).as("its virtual thread is left").isFalse();
        assertThat(stopping.sources()).isZero();
    }

    /** One end may leave two places: who holds nothing does not wait for the sleepers of others. */
    @Test
    void whoHoldsNothingBeginsWhereThreadsAreFree() {
        RescueThreads few = new RescueThreads(held::add, 8);
        for (int place = 1; place <= 4; place++) {
            few.add(new Sleeper(place));
        }
        assertThat(held).as("one each is the limit").hasSize(4);
        few.add(new Sleeper(1));
        few.add(new Sleeper(2));
        few.add(new Sleeper(4));
        assertThat(few.waiting()).isEqualTo(3);
        held.removeLast().run();
        assertThat(held).as("source 1 has two, source 4 one again").hasSize(5);
    }

    /** The system gives no thread: what was counted for it is free again. */
    @Test
    void workForWhichThereIsNoThreadHoldsNoPlace() {
        boolean[] none = {true};
        RescueThreads few =
                new RescueThreads(
                        task -> {
                            if (none[0]) {
                                throw new OutOfMemoryError("unable to create native thread");
                            }
                            held.add(task);
                        },
                        4);
        for (int place = 1; place <= 4; place++) {
            few.add(new Sleeper(place));
        }
        assertThat(few.notStarted()).isEqualTo(4);
        none[0] = false;
        few.add(new Sleeper(9));
        assertThat(few.sources()).isEqualTo(1);
        assertThat(held).hasSize(1);
    }
}
