package io.carillon.telemetry.spans;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls whose spans are kept, by Call-ID, and those that are over and wait for the word whether
 * they stay. Any thread. All spans together are bounded: where there is no room, the spans of the
 * oldest call that goes well give way.
 */
final class CallTable {
    /** A call without spans weighs about as much as so many of them. */
    static final int CALL_COST = 4;

    /** A longer Call-ID would make a few calls as heavy as many. */
    private static final int MOST_CALL_ID = 256;

    /** Calls that are looked at to make room for one. */
    private static final int MOST_TURNS = 16;

    private final Map<String, TracedCall> byCallId = new ConcurrentHashMap<>();
    private final CallAges ages = new CallAges();
    private final ConcurrentLinkedQueue<Over> over = new ConcurrentLinkedQueue<>();
    private final AtomicLong held = new AtomicLong();
    private final LongAdder refused = new LongAdder();
    private final LongAdder spansDropped = new LongAdder();
    private final LongAdder finished = new LongAdder();
    private final SpanConfig config;

    private record Over(TracedCall call, long sinceNanos) {}

    CallTable(SpanConfig config) {
        this.config = config;
    }

    @Nullable TracedCall find(String callId) {
        TracedCall last = Current.last();
        if (last != null && last.isFollowed(this, callId)) {
            return last;
        }
        TracedCall found = byCallId.get(callId);
        if (found != null) {
            Current.saw(found);
        }
        return found;
    }

    /** Takes that call in; null where there is no room, else who has the Call-ID now. */
    @Nullable TracedCall enter(TracedCall call, String callId, boolean invited) {
        if (callId.length() > MOST_CALL_ID || !room()) {
            refused.increment();
            return null;
        }
        synchronized (call) {
            call.leg(callId, invited);
            TracedCall before = byCallId.putIfAbsent(callId, call);
            if (before != null) {
                return before;
            }
            call.followed(this, callId);
        }
        Current.saw(call);
        held.addAndGet(CALL_COST);
        ages.add(call.age);
        return call;
    }

    /** A further Call-ID of that call. */
    void join(TracedCall call, String callId) {
        if (callId.length() > MOST_CALL_ID) {
            return;
        }
        synchronized (call) {
            if (!call.gone()
                    && call.leg(callId, false)
                    && byCallId.putIfAbsent(callId, call) == null) {
                call.followed(this, callId);
            }
        }
    }

    private boolean room() {
        for (int i = 0; i < MOST_TURNS && held.get() >= config.maxSpans(); i++) {
            TracedCall oldest = ages.turn();
            if (oldest == null) {
                break;
            }
            strip(oldest);
        }
        return held.get() < config.maxSpans();
    }

    private void strip(TracedCall call) {
        int freed;
        synchronized (call) {
            freed = call.gone() || call.self.sampled() || call.hasFailed() ? 0 : call.strip();
        }
        held.addAndGet(-freed);
        spansDropped.add(freed);
    }

    /**
     * Is there room for one more span of that call? Then it counts from now on. With the call's
     * monitor held.
     */
    boolean takes(TracedCall call) {
        if (held.get() >= 2L * config.maxSpans() || !call.hasRoom()) {
            call.dropped();
            spansDropped.increment();
            return false;
        }
        held.incrementAndGet();
        return true;
    }

    /** A span that is over, where there is room; with the call's monitor held. */
    void add(TracedCall call, CallSpan span) {
        if (takes(call)) {
            call.add(span);
        }
    }

    /** Something of it has ended; with the call's monitor held. */
    void check(TracedCall call, long nanos) {
        if (call.isOver() && !call.waitsAlready()) {
            over.add(new Over(call, nanos));
        }
    }

    /** Decides on those that were over before that time. By one thread. */
    void sweep(long beforeNanos, Consumer<FinishedCall> kept) {
        for (Over next = over.peek();
                next != null && next.sinceNanos() - beforeNanos <= 0;
                next = over.peek()) {
            over.poll();
            TracedCall call = next.call();
            synchronized (call) {
                call.waitsNoMore();
                if (call.gone() || !call.isOver()) {
                    continue;
                }
            }
            finish(call, kept);
        }
        room();
    }

    /** Looks for calls that ended without a word. By one thread. */
    void tidy(long idleSinceNanos, Consumer<FinishedCall> kept) {
        for (TracedCall call : byCallId.values()) {
            boolean idle;
            synchronized (call) {
                call.dropInvalid();
                idle = call.hasNoSession() && call.lastNanos() - idleSinceNanos < 0;
                check(call, call.lastNanos());
            }
            if (idle) {
                finish(call, kept);
            }
        }
    }

    /** All are over. */
    void end(Consumer<FinishedCall> kept) {
        for (TracedCall call : byCallId.values()) {
            finish(call, kept);
        }
    }

    private void finish(TracedCall call, Consumer<FinishedCall> kept) {
        FinishedCall done;
        int cost;
        synchronized (call) {
            if (call.gone()) {
                return;
            }
            cost = call.cost();
            done = call.finish(call.self.sampled() || (config.keepFailed() && call.hasFailed()));
            call.eachCallId(callId -> byCallId.remove(callId, call));
        }
        ages.remove(call.age);
        held.addAndGet(-cost);
        finished.increment();
        if (done != null) {
            kept.accept(done);
        }
    }

    /** Spans that are held now, and what calls count like them. */
    long held() {
        return held.get();
    }

    /** Calls that found no room. */
    long refused() {
        return refused.sum();
    }

    /** Spans that gave way. */
    long spansDropped() {
        return spansDropped.sum();
    }

    /** Calls that were over. */
    long finished() {
        return finished.sum();
    }
}
