package io.carillon.telemetry;

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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who looks on at messages and handlers. While it is nobody, shards and container have none. Any
 * thread.
 */
public final class Onlookers {
    /** Who there may be, in the order in which they are told. */
    public enum Who {
        /** A trace of messages: it wants each moment to differ from the one before. */
        TRACE,
        /** Call records, which look on from the start or never. */
        RECORDS,
        /** Spans of calls, likewise. */
        SPANS
    }

    private record Looking(Tap tap, TurnTap turns) {}

    private final List<Shard> shards;
    private final SipContainer container;
    private final Map<Who, Looking> all = new EnumMap<>(Who.class);

    public Onlookers(List<Shard> shards, SipContainer container) {
        this.shards = List.copyOf(shards);
        this.container = container;
    }

    /** That one looks on from now on. */
    public synchronized void add(Who who, Tap tap, TurnTap turns) {
        all.put(who, new Looking(tap, turns));
        show();
    }

    /** That one no longer does. */
    public synchronized void remove(Who who) {
        all.remove(who);
        show();
    }

    private void show() {
        Tap tap = null;
        TurnTap turns = null;
        for (Looking one : all.values()) {
            tap = tap == null ? one.tap() : new Taps(tap, one.tap());
            turns = turns == null ? one.turns() : new Turns(turns, one.turns());
        }
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

        @Override
        public void resolved(Place place, String callId, String host, long beganNanos, int hops) {
            first.resolved(place, callId, host, beganNanos, hops);
            second.resolved(place, callId, host, beganNanos, hops);
        }
    }

    /** The time is that of the first. */
    private record Turns(TurnTap first, TurnTap second) implements TurnTap {
        @Override
        public long nanoTime() {
            return first.nanoTime();
        }

        @Override
        public long begins(ApplicationSession parent, String callId) {
            second.begins(parent, callId);
            return first.begins(parent, callId);
        }

        @Override
        public Runnable handedOver(Runnable work) {
            return first.handedOver(second.handedOver(work));
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

        /** One of them keeps something; what it is shows by itself whose it is. */
        @Override
        public @Nullable String kept(ApplicationSession parent) {
            String one = first.kept(parent);
            return one == null ? second.kept(parent) : one;
        }

        @Override
        public void goesOn(ApplicationSession parent, TakeOver how, String kept) {
            first.goesOn(parent, how, kept);
            second.goesOn(parent, how, kept);
        }

        @Override
        public void dropped(ApplicationSession parent) {
            first.dropped(parent);
            second.dropped(parent);
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
                String method,
                int status,
                long beganNanos,
                boolean threw) {
            first.handled(parent, callId, servlet, method, status, beganNanos, threw);
            second.handled(parent, callId, servlet, method, status, beganNanos, threw);
        }
    }
}
