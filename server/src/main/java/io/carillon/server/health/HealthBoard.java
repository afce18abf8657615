package io.carillon.server.health;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Looks after the health of the server, once a second on a thread of its own; probes are answered
 * from what was seen, and wait for nothing. Any thread reads.
 */
public final class HealthBoard implements AutoCloseable {
    /** The server's state in which it takes calls. */
    private static final String RUNNING = "running";

    private static final String STARTING = "starting";

    /** A loop that does not answer for so long is not ready; it may have much to do. */
    static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** One that does not answer for so long will not any more: the process should be replaced. */
    static final long DEAD_NANOS = TimeUnit.SECONDS.toNanos(60);

    static final long DATABASE_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final HealthSource source;
    private final Supplier<String> state;
    private final LongSupplier nanos;
    private final AtomicLongArray answered;
    private final AtomicBoolean tryingDatabase = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean started;

    /** Of the thread that looks. */
    private long databaseTriedAt;

    /**
     * @param state of the server: starting, running, draining, stopping
     * @param nanos the time
     */
    public HealthBoard(HealthSource source, Supplier<String> state, LongSupplier nanos) {
        this.source = source;
        this.state = state;
        this.nanos = nanos;
        this.answered = new AtomicLongArray(source.loops());
        long now = nanos.getAsLong();
        this.databaseTriedAt = now - DATABASE_PAUSE_NANOS;
        for (int i = 0; i < answered.length(); i++) {
            answered.set(i, now);
        }
    }

    /** Begins to look. */
    public void start() {
        Thread.ofPlatform().daemon().name("health").start(this::lookUntilClosed);
    }

    private void lookUntilClosed() {
        try {
            do {
                look();
            } while (!closed.await(1, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One look: a sign of life of every loop is asked for, and a database that failed is tried. */
    void look() {
        source.pulse(loop -> answered.set(loop, nanos.getAsLong()));
        long now = nanos.getAsLong();
        if (source.databaseFailure() != null
                && now - databaseTriedAt >= DATABASE_PAUSE_NANOS
                && tryingDatabase.compareAndSet(false, true)) {
            databaseTriedAt = now;
            // It may wait for a network: nothing here does.
            Thread.ofPlatform().daemon().name("database-probe").start(this::tryDatabase);
        }
    }

    /** While no call comes since it is not ready, nobody else would see that it is back. */
    private void tryDatabase() {
        try {
            source.tryDatabase();
        } finally {
            tryingDatabase.set(false);
        }
    }

    /** Should this process go on? */
    public Health live() {
        return Health.of(List.of(loops(DEAD_NANOS)));
    }

    /** Has it started once? */
    public Health started() {
        String now = state.get();
        started = started || !now.equals(STARTING);
        return Health.of(List.of(new Health.Check("started", started, now)));
    }

    /** May it get calls? */
    public Health ready() {
        String now = state.get();
        int points = source.listeningPoints();
        boolean database = source.databaseFailure() == null;
        return Health.of(
                List.of(
                        new Health.Check("state", now.equals(RUNNING), now),
                        new Health.Check("listening", points > 0, points + " listening points"),
                        new Health.Check(
                                "database",
                                database,
                                database
                                        ? "no fault"
                                        : "an application needs it, and it cannot be used; the log and"
                                                + " ./carillon status say why"),
                        loops(SLOW_NANOS)));
    }

    private Health.Check loops(long withinNanos) {
        long now = nanos.getAsLong();
        int silent = 0;
        for (int i = 0; i < answered.length(); i++) {
            if (now - answered.get(i) > withinNanos) {
                silent++;
            }
        }
        return new Health.Check(
                "loops",
                silent == 0,
                (answered.length() - silent) + " of " + answered.length() + " event loops answer");
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
