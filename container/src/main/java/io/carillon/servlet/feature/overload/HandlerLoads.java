package io.carillon.servlet.feature.overload;

import io.carillon.servlet.app.Application;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * How the applications of a container keep up with their new calls, each beside the others. Any
 * thread. Bounded by the names that were ever deployed: versions of an application are one.
 */
public final class HandlerLoads {
    private final Map<String, HandlerLoad> byName = new ConcurrentHashMap<>();
    private final LongAdder refused = new LongAdder();
    private final LongSupplier threads;
    private final LongSupplier loops;
    private volatile boolean shed = true;
    private volatile long delayNanos = TimeUnit.MILLISECONDS.toNanos(10);
    private volatile long handlerNanos = TimeUnit.MILLISECONDS.toNanos(500);

    /**
     * @param threads how much longer a handler takes that begins now, as others hold the
     *     processors, in nanoseconds; asked by any thread, for each call that begins
     * @param loops how long messages waited of late before an event loop looked at them, in
     *     nanoseconds; asked by any thread
     */
    public HandlerLoads(LongSupplier threads, LongSupplier loops) {
        this.threads = threads;
        this.loops = loops;
    }

    /**
     * When an application is late; at any time.
     *
     * @param on whether its new calls are refused then
     * @param delay that new calls may wait to begin, in nanoseconds
     * @param handlers that they may take until their handler has ended at least, in nanoseconds
     */
    public void settings(boolean on, long delay, long handlers) {
        delayNanos = delay;
        handlerNanos = handlers;
        shed = on;
    }

    /** Before the first request of the application. */
    public void keep(Application application) {
        named(application.name()).keep(application);
    }

    HandlerLoad named(String application) {
        return byName.computeIfAbsent(application, name -> new HandlerLoad(name, this));
    }

    /** What is seen of each, by the clock of the shards. */
    public List<HandlerLoad.Seen> seen(long nowNanos) {
        return byName.values().stream().map(one -> one.seen(nowNanos)).toList();
    }

    /** New calls that were refused as their application was late. */
    public LongAdder refused() {
        return refused;
    }

    long threadsNanos() {
        return threads.getAsLong();
    }

    boolean shed() {
        return shed;
    }

    long delayNanos() {
        return delayNanos;
    }

    long handlerNanos() {
        return handlerNanos;
    }

    /** What is shorter is no delay: nearly nothing waits longer while there is no overload. */
    long worthAsking() {
        return delayNanos >> 3;
    }

    /** Is there another application that is used? */
    boolean others(HandlerLoad beside, long nowNanos) {
        for (HandlerLoad one : byName.values()) {
            if (one != beside && one.used(nowNanos)) {
                return true;
            }
        }
        return false;
    }

    /**
     * How long new calls of the other applications wait to begin, those of the promptest one; the
     * longest value where no other is used. Calls that run on a loop at once have waited for it all
     * the same: where the machine gives the loops no time, nobody is prompt.
     */
    long leastBeside(HandlerLoad beside, long nowNanos) {
        long least = Long.MAX_VALUE;
        for (HandlerLoad one : byName.values()) {
            if (one != beside && one.used(nowNanos)) {
                least = Math.min(least, one.notBegunNanos(nowNanos));
            }
        }
        return Math.max(least, loops.getAsLong());
    }
}
