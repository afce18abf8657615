package io.carillon.lab.load;

import io.carillon.sip.time.WheelTimer;

/**
 * Refused callers who call once more, each after a time of its own. Each waits in a timer of the
 * wheel: as many as were refused within the longest time. Owner: the engine's thread.
 */
final class Redials {
    private final LoadEngine engine;
    private final long fromNanos;
    private final long spanNanos;
    private int waiting;

    Redials(LoadEngine engine, CallerHabits habits) {
        this.engine = engine;
        fromNanos = habits.redialFrom().toNanos();
        spanNanos =
                habits.redials() ? habits.redialTo().toNanos() - habits.redialFrom().toNanos() : -1;
    }

    /** A caller was refused. */
    void refused(long now) {
        if (spanNanos < 0 || engine.stopping()) {
            return;
        }
        // 31 random bits of the span: finer than the wheel.
        long part = (long) ((engine.nextRandom() >>> 1) / (double) Integer.MAX_VALUE * spanNanos);
        waiting++;
        engine.schedule(new Redial(now + fromNanos + part), now + fromNanos + part);
    }

    /** Callers who will call again. */
    int waiting() {
        return waiting;
    }

    private final class Redial extends WheelTimer {
        private final long dueNanos;

        Redial(long dueNanos) {
            this.dueNanos = dueNanos;
        }

        @Override
        protected void fire(long now) {
            waiting--;
            if (!engine.stopping()) {
                engine.dial(dueNanos, now, true);
            }
        }
    }
}
