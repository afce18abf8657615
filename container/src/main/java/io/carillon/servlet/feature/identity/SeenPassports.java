package io.carillon.servlet.feature.identity;

import io.carillon.sip.bytes.WireText;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Valid PASSporTs of a moment ago, and the calls that they came with. RFC 8224 12.1: "servers can
 * keep state of recently received requests, and thus if an Identity header field is replayed by an
 * attacker within the Date interval, verifiers can detect that it is spoofed".
 *
 * <p>A call is told by its Call-ID: retransmissions, forks and spirals of a request keep it, and so
 * does the same request with credentials. A copy that a back-to-back user agent of ours makes is
 * the same call under another one.
 *
 * <p>Bounded: each is remembered until it would be stale anyway; of too many the oldest goes first,
 * counted, and could be used once more. An entry takes a valid signature, so strangers fill
 * nothing. Any thread.
 */
final class SeenPassports {
    private static final int MOST_CALLS = 16;

    /**
     * The first half of r of the signature: it tells one signature of a key from every other, and
     * is the same for the second form (r, n - s) that everybody can make of it.
     */
    private record Key(long high, long low) {
        static Key of(byte[] signature) {
            ByteBuffer bytes = ByteBuffer.wrap(signature);
            return new Key(bytes.getLong(), bytes.getLong());
        }
    }

    private static final class Seen {
        final long untilMillis;
        long[] calls;

        Seen(long untilMillis, long call) {
            this.untilMillis = untilMillis;
            this.calls = new long[] {call};
        }

        boolean has(long call) {
            for (long one : calls) {
                if (one == call) {
                    return true;
                }
            }
            return false;
        }

        void add(long call) {
            if (!has(call) && calls.length < MOST_CALLS) {
                calls = Arrays.copyOf(calls, calls.length + 1);
                calls[calls.length - 1] = call;
            }
        }
    }

    private final int cap;
    private final LongAdder forgotten = new LongAdder();
    private final LongAdder replayed = new LongAdder();

    /** In the order in which they came; with its lock. */
    private final LinkedHashMap<Key, Seen> seen = new LinkedHashMap<>();

    /**
     * @param cap most PASSporTs remembered
     */
    SeenPassports(int cap) {
        this.cap = cap;
    }

    /**
     * A PASSporT whose signature is right came with this call.
     *
     * @param signature r and s
     * @param untilMillis when it will be stale
     * @return false when it came with another call before
     */
    boolean take(byte[] signature, String callId, long untilMillis, long nowMillis) {
        Key key = Key.of(signature);
        long call = hash(callId);
        synchronized (seen) {
            Seen known = seen.get(key);
            if (known != null && known.untilMillis >= nowMillis) {
                boolean same = known.has(call);
                if (!same) {
                    replayed.increment();
                }
                return same;
            }
            seen.remove(key);
            makeRoom(nowMillis);
            seen.put(key, new Seen(untilMillis, call));
            return true;
        }
    }

    private void makeRoom(long nowMillis) {
        Iterator<Seen> oldest = seen.values().iterator();
        while (oldest.hasNext()) {
            boolean stale = oldest.next().untilMillis < nowMillis;
            if (!stale && seen.size() < cap) {
                return;
            }
            oldest.remove();
            if (!stale) {
                forgotten.increment();
            }
        }
    }

    /** A PASSporT that was taken leaves in a copy of its request, which may come back. */
    void copied(byte[] signature, String callId) {
        long call = hash(callId);
        synchronized (seen) {
            Seen known = seen.get(Key.of(signature));
            if (known != null) {
                known.add(call);
            }
        }
    }

    /** Call-IDs are chosen by strangers, and may be long. */
    private static long hash(String callId) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(WireText.bytes(callId));
            return ByteBuffer.wrap(digest).getLong();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK has no SHA-256", e);
        }
    }

    /** That gave way to others before they were stale. */
    long forgotten() {
        return forgotten.sum();
    }

    /** That came with another call. */
    long replayed() {
        return replayed.sum();
    }

    int size() {
        synchronized (seen) {
            return seen.size();
        }
    }
}
