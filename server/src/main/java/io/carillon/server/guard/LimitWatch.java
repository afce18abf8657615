package io.carillon.server.guard;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the log of limits that were reached: for each of them one line in ten seconds at most,
 * whatever a stranger does. It looks at counters from time to time, so that those who refuse only
 * have to count, and what is left to tell when a flood ends is told later.
 *
 * <p>Owner: the thread that looks.
 */
public final class LimitWatch {
    private static final Logger LOG = LoggerFactory.getLogger(LimitWatch.class);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final List<Watched> limits;
    private final Consumer<String> log;

    /** Of a server that begins to count: everything counted later is news. */
    public LimitWatch(List<Limit> limits) {
        this(limits, LOG::warn);
    }

    LimitWatch(List<Limit> limits, Consumer<String> log) {
        this.limits = limits.stream().map(Watched::new).toList();
        this.log = log;
    }

    /**
     * Writes what is due.
     *
     * @param counters since the start, by name
     */
    public void look(Map<String, Long> counters, long nowNanos) {
        for (Watched one : limits) {
            long count = counters.getOrDefault(one.limit.counter(), 0L);
            if (count > one.told && (one.told == 0 || nowNanos - one.toldNanos >= PAUSE_NANOS)) {
                log.accept(one.limit.line(count - one.told));
                one.told = count;
                one.toldNanos = nowNanos;
            }
        }
    }

    private static final class Watched {
        final Limit limit;
        long told;
        long toldNanos;

        Watched(Limit limit) {
            this.limit = limit;
        }
    }
}
