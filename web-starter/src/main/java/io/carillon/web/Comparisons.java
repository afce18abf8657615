package io.carillon.web;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Compares passwords, which is dear on purpose: on a few threads of its own, so that pages have
 * processors left whoever guesses. What waits is bounded. While half of the places are taken, a
 * source has one, and its network a quarter. Who comes from where he usually is has places of his
 * own and goes first.
 *
 * <p>Any thread, one lock for some steps; whoever asks waits for the answer.
 */
final class Comparisons {
    /** Places of strangers, and as many of those who are where they usually are. */
    static final int PLACES = 32;

    private static final int OF_NETWORK = PLACES / 4;
    private static final long PATIENCE_MILLIS = 2_000;
    private static final long IDLE_SECONDS = 10;

    /**
     * Who asks.
     *
     * @param source an IPv4 address, or 16 hexadecimal digits of an IPv6 address
     * @param usual whether the user has signed in from there before
     */
    record Asker(String source, boolean usual) {
        /** 24 bits of IPv4, 48 of IPv6: what one holder may have whole. */
        String network() {
            int dot = source.lastIndexOf('.');
            return dot >= 0
                    ? source.substring(0, dot)
                    : source.substring(0, Math.min(12, source.length()));
        }
    }

    /** What waits for its turn. */
    private record Waiting(
            Asker asker, BooleanSupplier comparison, CompletableFuture<Boolean> result) {}

    private final ThreadPoolExecutor threads;
    private final long patienceMillis;

    // Guarded by this.
    private final ArrayDeque<Waiting> strangers = new ArrayDeque<>();
    private final ArrayDeque<Waiting> usual = new ArrayDeque<>();
    private final Map<String, Integer> ofStrangers = new HashMap<>();

    Comparisons() {
        this(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), PATIENCE_MILLIS);
    }

    /**
     * @param most threads
     * @param patienceMillis that one may wait for its turn
     */
    Comparisons(int most, long patienceMillis) {
        this.patienceMillis = patienceMillis;
        threads =
                new ThreadPoolExecutor(
                        most,
                        most,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        work -> Thread.ofPlatform().name("sign-in").daemon().unstarted(work));
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * What a comparison says, or null where too many wait: come again.
     *
     * @param comparison runs at most once
     */
    @Nullable Boolean of(Asker asker, BooleanSupplier comparison) {
        Waiting waiting = new Waiting(asker, comparison, new CompletableFuture<>());
        synchronized (this) {
            if (!fits(asker)) {
                return null;
            }
            (asker.usual ? usual : strangers).add(waiting);
            count(asker, 1);
        }
        threads.execute(this::next);
        try {
            return waiting.result.get(patienceMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return leave(waiting) ? null : waiting.result.join();
        } catch (InterruptedException e) {
            leave(waiting);
            Thread.currentThread().interrupt();
            return null;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a password could not be compared", e.getCause());
        }
    }

    private boolean fits(Asker asker) {
        if (asker.usual) {
            return usual.size() < PLACES;
        }
        return strangers.size() < PLACES / 2
                || (strangers.size() < PLACES
                        && !ofStrangers.containsKey(asker.source)
                        && ofStrangers.getOrDefault(network(asker), 0) < OF_NETWORK);
    }

    /** No source has such a name. */
    private static String network(Asker asker) {
        return "network " + asker.network();
    }

    private void count(Asker asker, int more) {
        if (!asker.usual) {
            for (String who : new String[] {asker.source, network(asker)}) {
                ofStrangers.merge(who, more, (a, b) -> a + b == 0 ? null : Integer.valueOf(a + b));
            }
        }
    }

    private synchronized boolean leave(Waiting waiting) {
        boolean waited = (waiting.asker.usual ? usual : strangers).remove(waiting);
        if (waited) {
            count(waiting.asker, -1);
        }
        return waited;
    }

    /** One for each that came; some find that theirs has left. */
    private void next() {
        Waiting first;
        synchronized (this) {
            first = usual.isEmpty() ? strangers.poll() : usual.poll();
            if (first == null) {
                return;
            }
            count(first.asker, -1);
        }
        try {
            first.result.complete(first.comparison.getAsBoolean());
        } catch (Throwable e) { // whoever waits for it is told
            first.result.completeExceptionally(e);
        }
    }

    /** What waits for a thread. */
    synchronized int waiting() {
        return strangers.size() + usual.size();
    }
}
