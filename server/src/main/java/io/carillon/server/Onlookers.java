package io.carillon.server;

import io.carillon.servlet.SipContainer;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.TakeOver;
import io.carillon.servlet.kernel.TurnTap;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.Tap;
import io.carillon.sip.shard.Shard;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who looks on at messages and handlers: a trace, call records, both or nobody. While it is nobody,
 * shards and container have none. Any thread.
 */
final class Onlookers {
    private final List<Shard> shards;
    private final SipContainer container;

    /** Of call records, which look on from the start or never; null where none are kept. */
    private @Nullable Tap records;

    private @Nullable TurnTap recordsTurns;
    private @Nullable Tap trace;
    private @Nullable TurnTap traceTurns;

    Onlookers(List<Shard> shards, SipContainer container) {
        this.shards = shards;
        this.container = container;
    }

    /** Call records look on; null takes them off. */
    synchronized void records(@Nullable Tap tap, @Nullable TurnTap turns) {
        records = tap;
        recordsTurns = turns;
        show();
    }

    /** A trace looks on; null takes it off. */
    synchronized void trace(@Nullable Tap tap, @Nullable TurnTap turns) {
        trace = tap;
        traceTurns = turns;
        show();
    }

    private void show() {
        Tap tap = records == null ? trace : trace == null ? records : new Taps(trace, records);
        TurnTap turns =
                recordsTurns == null
                        ? traceTurns
                        : traceTurns == null ? recordsTurns : new Turns(traceTurns, recordsTurns);
        for (Shard shard : shards) {
            shard.tap(tap);
        }
        container.tap(turns);
    }

    private record Taps(Tap first, Tap second) implements Tap {
        @Override
        public void received(Place place, SipMessage message, Hop from) {
            first.received(place, message, from);
            second.received(place, message, from);
        }

        @Override
        public void sent(Place place, SipMessage message, Hop to, boolean again) {
            first.sent(place, message, to, again);
            second.sent(place, message, to, again);
        }

        @Override
        public void befell(
                Place place,
                Counter what,
                SipMessage message,
                @Nullable Hop hop,
                @Nullable String cause) {
            first.befell(place, what, message, hop, cause);
            second.befell(place, what, message, hop, cause);
        }
    }

    /** The time is that of the first: a trace wants each moment to differ from the one before. */
    private record Turns(TurnTap first, TurnTap second) implements TurnTap {
        @Override
        public long nanoTime() {
            return first.nanoTime();
        }

        @Override
        public void opened(ServletSession session) {
            first.opened(session);
            second.opened(session);
        }

        @Override
        public void takenOver(ApplicationSession parent, TakeOver how) {
            first.takenOver(parent, how);
            second.takenOver(parent, how);
        }

        @Override
        public void ended(ServletSession session) {
            first.ended(session);
            second.ended(session);
        }

        @Override
        public void handled(
                ApplicationSession parent,
                String callId,
                String servlet,
                String what,
                long beganNanos,
                boolean threw) {
            first.handled(parent, callId, servlet, what, beganNanos, threw);
            second.handled(parent, callId, servlet, what, beganNanos, threw);
        }
    }
}
