package io.carillon.sip.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimerWheelTest {
    private static final long TICK = 10_000_000L;
    private static final long START = -123_456_789_012L;

    private final TimerWheel wheel = new TimerWheel(TICK, START);
    private final List<String> fired = new ArrayList<>();

    private final class Named extends WheelTimer {
        final String name;
        long firedAt;
        long due;

        Named(String name) {
            this.name = name;
        }

        @Override
        protected void fire(long nowNanos) {
            firedAt = nowNanos;
            fired.add(name);
        }
    }

    private Named schedule(String name, long afterNanos) {
        Named timer = new Named(name);
        timer.due = START + afterNanos;
        wheel.schedule(timer, timer.due);
        return timer;
    }

    @Test
    void firesAtItsNanosecondAndNotOneBefore() {
        schedule("a", 500_000_001L);
        assertThat(wheel.nextDeadlineNanos()).isEqualTo(START + 500_000_001L);
        assertThat(wheel.advance(START + 500_000_000L)).isZero();
        assertThat(wheel.advance(START + 500_000_001L)).isEqualTo(1);
        assertThat(fired).containsExactly("a");
        assertThat(wheel.size()).isZero();
        assertThat(wheel.nextDeadlineNanos()).isEqualTo(TimerWheel.NEVER);
    }

    @Test
    void keepsTheOrderOfEqualDeadlines() {
        schedule("a", 5);
        schedule("b", 5);
        schedule("c", 5);
        wheel.advance(START + 5);
        assertThat(fired).containsExactly("a", "b", "c");
    }

    @Test
    void aPastDeadlineFiresAtTheNextAdvance() {
        wheel.advance(START + 100 * TICK);
        schedule("late", 3);
        assertThat(wheel.nextDeadlineNanos()).isEqualTo(START + 3);
        wheel.advance(START + 100 * TICK);
        assertThat(fired).containsExactly("late");
    }

    @Test
    void aTimerThatSchedulesItselfForNowDoesNotHoldTheAdvance() {
        int[] count = {0};
        WheelTimer eager =
                new WheelTimer() {
                    @Override
                    protected void fire(long nowNanos) {
                        count[0]++;
                        wheel.schedule(this, nowNanos);
                    }
                };
        wheel.schedule(eager, START + 1);
        wheel.advance(START + 1);
        assertThat(count[0]).isEqualTo(1);
        assertThat(eager.scheduled()).isTrue();
    }

    @Test
    void aTimerMayCancelAnotherThatIsDueInTheSameAdvance() {
        Named[] victim = new Named[1];
        WheelTimer killer =
                new WheelTimer() {
                    @Override
                    protected void fire(long nowNanos) {
                        wheel.cancel(victim[0]);
                    }
                };
        wheel.schedule(killer, START + 7);
        victim[0] = schedule("victim", 7);
        wheel.advance(START + 8);
        assertThat(fired).isEmpty();
        assertThat(victim[0].scheduled()).isFalse();
        assertThat(wheel.size()).isZero();
    }

    @Test
    void whatIsDueIsKeptWhenATimerThrows() {
        wheel.schedule(
                new WheelTimer() {
                    @Override
                    protected void fire(long nowNanos) {
                        throw new IllegalStateException("first");
                    }
                },
                START + 1);
        schedule("second", 1);
        try {
            wheel.advance(START + 1);
        } catch (IllegalStateException e) {
            assertThat(e).hasMessage("first");
        }
        assertThat(wheel.size()).isEqualTo(1);
        wheel.advance(START + 1);
        assertThat(fired).containsExactly("second");
    }

    @Test
    void days_weeks_and_years_ahead() {
        long day = 86_400_000_000_000L;
        schedule("year", 400 * day);
        schedule("day", day);
        schedule("week", 7 * day);
        long now = START;
        List<Long> at = new ArrayList<>();
        int steps = 0;
        while (wheel.size() > 0) {
            long next = wheel.nextDeadlineNanos();
            assertThat(next).isGreaterThanOrEqualTo(now);
            now = next;
            if (wheel.advance(now) > 0) {
                at.add(now - START);
            }
            steps++;
        }
        assertThat(fired).containsExactly("day", "week", "year");
        assertThat(at).containsExactly(day, 7 * day, 400 * day);
        assertThat(steps).as("jumps to the fourth timer").isLessThan(1000);
    }

    @Test
    void oneLongJumpFiresAllInOrderOfTheirTicks() {
        schedule("c", 7_200_000_000_000L);
        schedule("a", 32_000_000_000L);
        schedule("b", 60_000_000_000L);
        wheel.advance(START + 8_000_000_000_000L);
        assertThat(fired).containsExactly("a", "b", "c");
    }

    @Test
    void agreesWithASortedListOverRandomSteps() {
        for (long seed = 1; seed <= 40; seed++) {
            Random random = new Random(seed);
            TimerWheel w = new TimerWheel(TICK, START);
            List<Named> live = new ArrayList<>();
            long now = START;
            for (int step = 0; step < 2_000; step++) {
                int what = random.nextInt(10);
                if (what < 5) {
                    Named t = new Named("t");
                    t.due = now + randomDelay(random);
                    w.schedule(t, t.due);
                    live.add(t);
                } else if (what < 7 && !live.isEmpty()) {
                    Named t = live.remove(random.nextInt(live.size()));
                    w.cancel(t);
                } else if (what == 7 && !live.isEmpty()) {
                    Named t = live.get(random.nextInt(live.size()));
                    t.due = now + randomDelay(random);
                    w.schedule(t, t.due);
                } else {
                    long earliest =
                            live.stream().mapToLong(t -> t.due).min().orElse(TimerWheel.NEVER);
                    long next = w.nextDeadlineNanos();
                    assertThat(next).as("seed %d", seed).isLessThanOrEqualTo(earliest);
                    if (random.nextBoolean() && next != TimerWheel.NEVER) {
                        now = Math.max(now, next);
                    } else {
                        now += randomDelay(random);
                    }
                    w.advance(now);
                    for (int i = live.size() - 1; i >= 0; i--) {
                        Named t = live.get(i);
                        assertThat(t.scheduled())
                                .as("seed %d step %d", seed, step)
                                .isEqualTo(t.due > now);
                        if (t.due <= now) {
                            assertThat(t.firedAt).isEqualTo(now);
                            live.remove(i);
                        }
                    }
                }
                assertThat(w.size()).as("seed %d step %d", seed, step).isEqualTo(live.size());
            }
        }
    }

    private static long randomDelay(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> random.nextLong(100);
            case 1 -> random.nextLong(2 * TICK);
            case 2 -> random.nextLong(1_000_000_000L);
            case 3 -> random.nextLong(64_000_000_000L);
            case 4 -> random.nextLong(6_000_000_000_000L);
            default -> random.nextLong(400_000_000_000_000L);
        };
    }
}
