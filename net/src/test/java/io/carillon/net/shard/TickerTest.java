package io.carillon.net.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.time.TimerWheel;
import io.carillon.sip.time.WheelTimer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** When a loop is woken for its timers, in virtual time. */
class TickerTest {

    private static final long MS = 1_000_000L;

    private final Loop loop = new Loop();

    @Test
    void noTimerNoWaking() {
        loop.works();

        assertThat(loop.nextWakeUp()).isEqualTo(TimerWheel.NEVER);
    }

    @Test
    void aBusyLoopIsNeverWoken() {
        loop.timer(500 * MS);
        for (long at = 0; at < 400 * MS; at += MS / 4) {
            loop.until(at);
            loop.works();
        }

        assertThat(loop.woken).isEmpty();
        assertThat(loop.scheduled).isLessThanOrEqualTo(2 * 400 / 10 + 2);
    }

    @Test
    void aTimerIsLateByNoMoreThanATickWhenWorkEnds() {
        for (long last = 0; last < 20 * MS; last += MS / 3) {
            Loop busy = new Loop();
            for (long at = 0; at <= last; at += MS / 3) {
                busy.until(at);
                busy.works();
            }
            long deadline = last + MS;
            busy.timer(deadline);
            busy.works();

            busy.until(deadline + Ticker.TICK_NANOS);

            assertThat(busy.fired).as("work ended at %d", last).hasSize(1);
            assertThat(busy.fired.getFirst()).isGreaterThanOrEqualTo(deadline);
        }
    }

    @Test
    void aLoopWithNothingToDoSleepsUntilTheNextDeadline() {
        loop.timer(5_000 * MS);
        loop.works();

        loop.until(4_999 * MS);
        assertThat(loop.woken).hasSize(2);

        loop.until(5_000 * MS);
        assertThat(loop.fired).containsExactly(5_000 * MS);
    }

    @Test
    void workThatComesInALongSleepBringsTheTickBack() {
        loop.timer(5_000 * MS);
        loop.works();
        loop.until(100 * MS);

        loop.timer(130 * MS);
        loop.works();
        loop.until(140 * MS);

        assertThat(loop.fired).hasSize(1);
    }

    /** A loop whose time is told to it. */
    private static final class Loop implements Ticker.Sleeper {

        private final TimerWheel timers = new TimerWheel(Ticker.TICK_NANOS, 0);
        private final Ticker ticker = new Ticker(this);
        private final List<Long> woken = new ArrayList<>();
        private final List<Long> fired = new ArrayList<>();
        private long now;
        private int scheduled;
        private CompletableFuture<Void> pending = CompletableFuture.completedFuture(null);
        private Runnable task = () -> {};
        private long at;

        void timer(long deadline) {
            timers.schedule(
                    new WheelTimer() {
                        @Override
                        protected void fire(long nowNanos) {
                            fired.add(nowNanos);
                        }
                    },
                    deadline);
        }

        void works() {
            timers.advance(now);
            ticker.arm(now);
        }

        long nextWakeUp() {
            return pending.isDone() ? TimerWheel.NEVER : at;
        }

        void until(long time) {
            while (nextWakeUp() <= time) {
                now = Math.max(now, at);
                pending.complete(null);
                woken.add(now);
                task.run();
                works();
            }
            now = Math.max(now, time);
        }

        @Override
        public TimerWheel timers() {
            return timers;
        }

        @Override
        public Future<?> schedule(Runnable what, long delayNanos) {
            scheduled++;
            task = what;
            at = now + delayNanos;
            pending = new CompletableFuture<>();
            return pending;
        }

        @Override
        public void begin() {}
    }
}
