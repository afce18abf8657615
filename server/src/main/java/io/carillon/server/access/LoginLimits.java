package io.carillon.server.access;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How often one may guess a password. Guesses count against their source, against the account, and
 * against all together, so that nobody's guesses take the processors. A browser that has logged in
 * to the account before (it shows {@link KnownBrowser}) counts for itself alone: whoever guesses at
 * an account locks out no one who has been there. Any thread, under one lock.
 */
public final class LoginLimits {
    private static final int MOST_SOURCES = 10_000;
    private static final Bound SOURCE = new Bound(10, TimeUnit.SECONDS.toNanos(30));
    private static final Bound ACCOUNT = new Bound(50, TimeUnit.SECONDS.toNanos(10));
    private static final Bound BROWSER = new Bound(10, TimeUnit.SECONDS.toNanos(30));
    private static final Bound ALL = new Bound(100, TimeUnit.MILLISECONDS.toNanos(500));

    /** The key of the bucket that counts for all strangers. */
    private static final String EVERYBODY = "all";

    private final LongSupplier nanos;

    /** Those that were used longest ago give way; guarded by this. */
    private final Map<String, Bucket> buckets =
            new LinkedHashMap<>(64, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
                    return size() > MOST_SOURCES;
                }
            };

    private long refused;

    /**
     * How many wrong ones there may be at once, and after how long one is forgotten.
     *
     * @param most at once
     * @param nanosEach until one more is allowed
     */
    private record Bound(int most, long nanosEach) {}

    private static final class Bucket {
        private final Bound bound;
        private double left;
        private long at;

        Bucket(Bound bound, long now) {
            this.bound = bound;
            this.left = bound.most();
            this.at = now;
        }

        boolean has(long now) {
            left = Math.min(bound.most(), left + (double) (now - at) / bound.nanosEach());
            at = now;
            return left >= 1;
        }
    }

    public LoginLimits(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * May it be looked at? One that may counts as wrong until {@link #right} takes that back.
     *
     * @param source where it comes from
     * @param account it is for
     * @param browser that has logged in to the account before; empty: none
     * @return 0, or the seconds after which one may try again
     */
    public synchronized long guess(String source, String account, String browser) {
        long now = nanos.getAsLong();
        if (!browser.isEmpty()) {
            Bucket own = bucket("browser " + browser, BROWSER, now);
            if (own.has(now)) {
                own.left -= 1;
                return 0;
            }
        }
        Bucket all = bucket(EVERYBODY, ALL, now);
        Bucket ofSource = bucket("source " + source, SOURCE, now);
        Bucket ofAccount = bucket("account " + account, ACCOUNT, now);
        if (!ofSource.has(now)) {
            return refused(SOURCE);
        }
        if (!ofAccount.has(now)) {
            return refused(ACCOUNT);
        }
        if (!all.has(now)) {
            return refused(ALL);
        }
        ofSource.left -= 1;
        ofAccount.left -= 1;
        all.left -= 1;
        return 0;
    }

    private long refused(Bound bound) {
        refused++;
        return Math.max(1, TimeUnit.NANOSECONDS.toSeconds(bound.nanosEach()));
    }

    /** It was the password. */
    public synchronized void right(String source, String account, String browser) {
        long now = nanos.getAsLong();
        back("source " + source, SOURCE, now);
        back("account " + account, ACCOUNT, now);
        back(EVERYBODY, ALL, now);
        if (!browser.isEmpty()) {
            back("browser " + browser, BROWSER, now);
        }
    }

    private void back(String key, Bound bound, long now) {
        Bucket bucket = bucket(key, bound, now);
        bucket.left = Math.min(bound.most(), bucket.left + 1);
    }

    private Bucket bucket(String key, Bound bound, long now) {
        return buckets.computeIfAbsent(key, nothing -> new Bucket(bound, now));
    }

    /** Guesses that were not looked at. */
    public synchronized long refused() {
        return refused;
    }

    /** What is remembered. */
    synchronized int size() {
        return buckets.size();
    }
}
