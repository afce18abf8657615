package io.carillon.servlet.feature.protect;

import io.carillon.sip.shard.Shard;
import io.carillon.sip.time.WheelTimer;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * When the calls of one event loop that are marked are written: within a time at the latest, at
 * once where a message waits. But what waits is gathered for {@link ProtectionSettings#gather}
 * after the last batch, for each batch costs the same, whatever is in it.
 *
 * <p>Owner: the shard's thread, but for what any thread may ask.
 */
final class FlushTimes extends WheelTimer {
    private static final long NEVER = Long.MIN_VALUE;

    private final Shard shard;
    private final long withinNanos;
    private final long gatherNanos;
    private final Runnable flush;
    private final Runnable gathered = this::gathered;
    private final Runnable later;
    private final Runnable arm = this::arm;

    /** Has somebody asked for a flush that has not come yet? */
    private final AtomicBoolean asked = new AtomicBoolean();

    private long sentAtNanos = NEVER;

    /**
     * @param write writes what is marked; on the shard's thread
     */
    FlushTimes(Shard shard, ProtectionSettings settings, Runnable write) {
        this.shard = shard;
        this.withinNanos = settings.flushWithin().toNanos();
        this.gatherNanos = settings.gather().toNanos();
        this.flush =
                () -> {
                    asked.set(false);
                    write.run();
                };
        this.later = () -> shard.perform(this::flushAsked);
    }

    /** Something was marked. Any thread. */
    void within() {
        shard.perform(arm);
    }

    /** A message waits for what is marked. Any thread. */
    void soon() {
        if (asked.compareAndSet(false, true)) {
            shard.executor().execute(() -> shard.perform(gathered));
        }
    }

    /** The last flush was too much for one piece of work. */
    void atOnce() {
        shard.executor().execute(() -> shard.perform(flush));
    }

    /** Not later than that. */
    void at(long deadline) {
        if (!scheduled() || deadlineNanos() > deadline) {
            shard.timers().schedule(this, deadline);
        }
    }

    /** The store was given a batch. */
    void sent(long nowNanos) {
        sentAtNanos = nowNanos;
    }

    private void arm() {
        at(shard.now() + withinNanos);
    }

    private void gathered() {
        long next = sentAtNanos + gatherNanos;
        if (sentAtNanos == NEVER || next - shard.now() <= 0) {
            flushAsked();
        } else {
            // Once, whatever the store is given meanwhile: a message waits.
            shard.executor().executeIn(next - shard.now(), later);
        }
    }

    private void flushAsked() {
        if (asked.get()) {
            flush.run();
        } // else there was a flush meanwhile
    }

    @Override
    protected void fire(long nowNanos) {
        if (!asked.get()) {
            flush.run();
        } // else it comes within the time to gather
    }
}
