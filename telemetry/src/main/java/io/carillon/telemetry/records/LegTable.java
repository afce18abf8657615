package io.carillon.telemetry.records;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The legs that are followed, by Call-ID, and those that are over and wait for their record. Any
 * thread. Bounded by {@code cdr.max-legs}; what is over leaves after a few seconds.
 */
final class LegTable {
    /** REFERs that are remembered, and for how long: the INVITE of one follows at once. */
    private static final int MOST_REFERRALS = 10_000;

    private static final long REFERRAL_NANOS = 60_000_000_000L;

    /** A longer Call-ID would make a few calls as heavy as many. */
    private static final int MOST_CALL_ID = 512;

    private final Map<String, DialogLegs> byCallId = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Over> over = new ConcurrentLinkedQueue<>();
    private final Map<String, Referral> referrals =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Referral> eldest) {
                    return size() > MOST_REFERRALS;
                }
            };
    private final AtomicInteger open = new AtomicInteger();
    private final LongAdder refused = new LongAdder();
    private final AtomicLong numbers = new AtomicLong();
    private final String prefix;
    private final int most;

    /** A leg that is over, and since when. */
    record Over(DialogLegs legs, Leg leg, long sinceNanos) {}

    private record Referral(String call, String referee, long atNanos) {}

    /**
     * @param prefix of ids: of this process, and unique among all
     * @param most legs
     */
    LegTable(String prefix, int most) {
        this.prefix = prefix;
        this.most = most;
    }

    /** The id of that leg, or of another thing with a number. */
    String id(long number) {
        return prefix + "-" + Long.toString(number, Character.MAX_RADIX);
    }

    long next() {
        return numbers.incrementAndGet();
    }

    static String key(String callId) {
        return callId.length() <= MOST_CALL_ID
                ? callId
                : callId.substring(0, MOST_CALL_ID) + "#" + callId.hashCode();
    }

    @Nullable DialogLegs find(String callId) {
        return byCallId.get(key(callId));
    }

    /** That of a Call-ID which is in the table from now on. */
    DialogLegs enter(String callId) {
        String key = key(callId);
        return byCallId.computeIfAbsent(key, id -> new DialogLegs(id, new OneCall(id(next()))));
    }

    /** Likewise, of a call that is known. */
    DialogLegs enter(String callId, OneCall call) {
        return byCallId.computeIfAbsent(key(callId), id -> new DialogLegs(id, call));
    }

    /** One that was admitted is there already. */
    void back() {
        open.decrementAndGet();
    }

    /** Is there room for one more leg? Then it is counted. */
    boolean admit() {
        if (open.incrementAndGet() <= most) {
            return true;
        }
        open.decrementAndGet();
        refused.increment();
        return false;
    }

    /** It was not kept after all. */
    void refuse() {
        open.decrementAndGet();
        refused.increment();
    }

    /** A leg has ended: its record is written when repetitions and handlers have had their time. */
    void over(DialogLegs legs, Leg leg, long nanos) {
        over.add(new Over(legs, leg, nanos));
    }

    /** The next that ended before that time; null when there is none. By one thread. */
    @Nullable Over nextOver(long beforeNanos) {
        Over next = over.peek();
        return next == null || next.sinceNanos() - beforeNanos > 0 ? null : over.poll();
    }

    /** Its record is written. With no monitor held. */
    void written(Over done) {
        synchronized (done.legs()) {
            if (done.legs().legs().remove(done.leg())) {
                open.decrementAndGet();
            }
        }
        if (done.legs().leave()) {
            byCallId.remove(done.legs().callId, done.legs());
        }
    }

    List<DialogLegs> all() {
        return new ArrayList<>(byCallId.values());
    }

    /** Legs that are followed now, those that wait for their record too. */
    int open() {
        return open.get();
    }

    /** Legs that found no room. */
    long refused() {
        return refused.sum();
    }

    // ---- transfers ----

    /** A REFER in that call sends somebody to a target. */
    void referral(String target, String referee, String call, long nanos) {
        synchronized (referrals) {
            referrals.remove(target);
            referrals.put(target, new Referral(call, referee, nanos));
        }
    }

    /** The call whose REFER led to an INVITE for that target; null for none. */
    @Nullable String referred(String target, String caller, boolean referredBy, long nanos) {
        synchronized (referrals) {
            Referral known = referrals.get(target);
            if (known == null
                    || nanos - known.atNanos() > REFERRAL_NANOS
                    || !(referredBy || known.referee().equals(caller))) {
                return null;
            }
            referrals.remove(target);
            return known.call();
        }
    }
}
