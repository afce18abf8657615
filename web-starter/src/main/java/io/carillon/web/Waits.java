package io.carillon.web;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How long those wait who were wrong too often: a second after the tries that are free, twice as
 * long after each further one up to a most, and nothing once they have been quiet. A try that is
 * refused counts for nothing, so every wait ends.
 *
 * <p>Any thread. Bounded: the one asked about least recently goes for a new one.
 */
final class Waits {
    private static final long FIRST_MILLIS = 1_000;

    /** Never changed. */
    private record Guesses(int wrong, long untilMillis, long forgottenMillis) {}

    private final int free;
    private final long mostMillis;
    private final long quietMillis;
    private final Map<String, Guesses> entries;

    /**
     * @param free wrong tries without a wait
     * @param mostMillis longest wait
     * @param quietMillis without a wrong try until all is forgotten
     * @param bound entries at most
     */
    Waits(int free, long mostMillis, long quietMillis, int bound) {
        this.free = free;
        this.mostMillis = mostMillis;
        this.quietMillis = quietMillis;
        this.entries =
                new LinkedHashMap<>(16, 0.75f, true) {
                    private static final long serialVersionUID = 1L;

                    @Override
                    protected boolean removeEldestEntry(Map.Entry<String, Guesses> eldest) {
                        return size() > bound;
                    }
                };
    }

    /** Milliseconds to wait from now; 0: none. */
    synchronized long left(String who, long now) {
        Guesses entry = entries.get(who);
        return entry == null ? 0 : Math.max(0, entry.untilMillis - now);
    }

    /** A try that was wrong. */
    synchronized void wrong(String who, long now) {
        Guesses before = entries.get(who);
        int wrong = before == null || before.forgottenMillis <= now ? 1 : before.wrong + 1;
        int over = Math.min(wrong - free, 30);
        long wait = over <= 0 ? 0 : Math.min(mostMillis, FIRST_MILLIS << (over - 1));
        entries.put(who, new Guesses(wrong, now + wait, now + wait + quietMillis));
    }

    /** A try that was right. */
    synchronized void right(String who) {
        entries.remove(who);
    }

    synchronized int size() {
        return entries.size();
    }
}
