package io.carillon.net.resolve;

import io.carillon.net.NetworkConfig;
import io.carillon.net.NetworkCounter;
import io.carillon.net.shard.ShardLoop;
import io.carillon.sip.bytes.LogText;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Host names to addresses by the system's resolver, which blocks: on a few background threads, with
 * a bounded queue, one question at a time per name, and a cache. Any thread; answers come on the
 * asking shard's thread.
 */
public final class HostLookup implements AutoCloseable {

    /** The system's resolver; tests give another. */
    @FunctionalInterface
    public interface Source {
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(HostLookup.class);
    private static final InetAddress[] NONE = {};

    private final NetworkConfig.Lookup limits;
    private final Source source;
    private final ThreadPoolExecutor threads;
    private final ConcurrentHashMap<String, Entry> entries = new ConcurrentHashMap<>();

    public HostLookup(NetworkConfig.Lookup limits, Source source) {
        this.limits = limits;
        this.source = source;
        threads =
                new ThreadPoolExecutor(
                        limits.threads(),
                        limits.threads(),
                        30,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(limits.maxWaiting()),
                        new DefaultThreadFactory("carillon-lookup", true));
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Finds a name's addresses.
     *
     * @param loop the asking shard's loop, on whose thread this is called
     * @param result gets the addresses, none when there are none; called before this returns when
     *     they are remembered, else later on the loop
     */
    public void find(String host, ShardLoop loop, Consumer<InetAddress[]> result) {
        long now = loop.nowNanos();
        Entry entry = entries.get(host);
        if (entry != null) {
            InetAddress[] known = entry.known(now);
            if (known != null) {
                result.accept(known);
                return;
            }
        }
        Entry asked = entries.computeIfAbsent(host, name -> new Entry());
        if (!asked.join(new Waiter(loop, result), now)) {
            return;
        }
        loop.tally().count(NetworkCounter.LOOKUPS);
        try {
            threads.execute(() -> look(host, asked));
        } catch (RejectedExecutionException full) {
            loop.tally().count(NetworkCounter.LOOKUPS_REJECTED);
            // Nothing is remembered of it: the next message asks again.
            entries.remove(host, asked);
            asked.answer(NONE, now);
        }
        if (entries.size() > limits.maxCached()) {
            shrink();
        }
    }

    private void look(String host, Entry entry) {
        InetAddress[] found;
        try {
            found = source.addresses(host);
        } catch (UnknownHostException e) {
            found = NONE;
        } catch (RuntimeException e) {
            // A resolver plugged into the JDK failed; whoever waits must hear of it all the same.
            LOG.warn("looking up {} failed", LogText.safe(host), e);
            found = NONE;
        }
        int millis = found.length == 0 ? limits.missingMillis() : limits.foundMillis();
        entry.answer(found, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** Names in the table. */
    int remembered() {
        return entries.size();
    }

    /** Makes room for a sixteenth, so that a full table is not walked for every new name. */
    private void shrink() {
        Iterator<Entry> all = entries.values().iterator();
        int tooMany = entries.size() - limits.maxCached() + limits.maxCached() / 16;
        while (tooMany > 0 && all.hasNext()) {
            if (all.next().idle()) {
                all.remove();
                tooMany--;
            }
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    private record Waiter(ShardLoop loop, Consumer<InetAddress[]> result) {}

    /** One name. Its monitor is held for a few instructions only. */
    private static final class Entry {
        private InetAddress @Nullable [] addresses;
        private long untilNanos;
        private boolean asking;
        private List<Waiter> waiters = new ArrayList<>();

        synchronized InetAddress @Nullable [] known(long nowNanos) {
            return addresses != null && nowNanos - untilNanos < 0 ? addresses : null;
        }

        synchronized boolean idle() {
            return !asking;
        }

        /** Says whether the caller must ask; an answer that has come meanwhile is given at once. */
        synchronized boolean join(Waiter waiter, long nowNanos) {
            InetAddress[] answered = known(nowNanos);
            if (answered != null) {
                waiter.loop().execute(() -> waiter.result().accept(answered));
                return false;
            }
            waiters.add(waiter);
            boolean first = !asking;
            asking = true;
            return first;
        }

        void answer(InetAddress[] found, long until) {
            List<Waiter> told;
            synchronized (this) {
                addresses = found;
                untilNanos = until;
                asking = false;
                told = waiters;
                waiters = new ArrayList<>();
            }
            for (Waiter waiter : told) {
                waiter.loop().execute(() -> waiter.result().accept(found));
            }
        }
    }
}
