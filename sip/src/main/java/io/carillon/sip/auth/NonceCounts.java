package io.carillon.sip.auth;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Which nonce counts were used: each once, in any order within a window of {@value #WINDOW}
 * (requests of one client overtake each other). Bounded: entries live in two generations; when the
 * older one is dropped, nonces as old as those in it that are not known any more count as stale. So
 * a flood costs legitimate clients a new challenge, never a replay. Any thread.
 */
public final class NonceCounts {
    static final int WINDOW = 64;

    private static final class Used {
        int highest;

        /** Bit i: highest - i was used. */
        long seen;
    }

    private final int half;
    private final LongAdder forgotten = new LongAdder();
    private Map<Long, Used> young = new HashMap<>();
    private Map<Long, Used> old = new HashMap<>();
    private long newestYoungMillis = Long.MIN_VALUE;
    private long newestOldMillis = Long.MIN_VALUE;
    private long forgottenMillis = Long.MIN_VALUE;

    /**
     * @param cap most nonces remembered
     */
    public NonceCounts(int cap) {
        if (cap < 2) {
            throw new IllegalArgumentException("cap is at least 2, not " + cap);
        }
        half = cap / 2;
    }

    /** Would {@link #use} say no? Takes nothing: for who has not seen the password's proof yet. */
    public synchronized boolean used(Nonces.Nonce nonce, int count) {
        Long serial = nonce.serial();
        Used used = young.get(serial);
        if (used == null) {
            used = old.get(serial);
        }
        if (used == null) {
            return nonce.issuedMillis() <= forgottenMillis;
        }
        int behind = used.highest - count;
        return behind >= WINDOW || (behind >= 0 && (used.seen >>> behind & 1) != 0);
    }

    /** Takes a count. False: it was used, is too far behind, or may have been forgotten. */
    public synchronized boolean use(Nonces.Nonce nonce, int count) {
        Long serial = nonce.serial();
        Used used = young.get(serial);
        if (used == null) {
            used = old.get(serial);
        }
        if (used == null) {
            if (nonce.issuedMillis() <= forgottenMillis) {
                return false;
            }
            used = remember(serial, nonce.issuedMillis());
        }
        return take(used, count);
    }

    private Used remember(Long serial, long issuedMillis) {
        if (young.size() >= half) {
            forgottenMillis = Math.max(forgottenMillis, newestOldMillis);
            forgotten.add(old.size());
            newestOldMillis = newestYoungMillis;
            newestYoungMillis = Long.MIN_VALUE;
            old = young;
            young = new HashMap<>();
        }
        newestYoungMillis = Math.max(newestYoungMillis, issuedMillis);
        Used used = new Used();
        young.put(serial, used);
        return used;
    }

    private static boolean take(Used used, int count) {
        int ahead = count - used.highest;
        if (ahead > 0) {
            used.seen = ahead >= WINDOW ? 1 : used.seen << ahead | 1;
            used.highest = count;
            return true;
        }
        if (-ahead >= WINDOW || (used.seen >>> -ahead & 1) != 0) {
            return false;
        }
        used.seen |= 1L << -ahead;
        return true;
    }

    /** Nonces that gave way to others: their next count is asked for anew. Any thread. */
    public long forgotten() {
        return forgotten.sum();
    }

    /** Nonces remembered now. */
    public synchronized int size() {
        return young.size() + old.size();
    }
}
