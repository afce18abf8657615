package io.carillon.telemetry.records;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipMessage;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Ends legs, and tells who listens. Any thread; it holds nothing but the table. */
final class LegEnds {
    private final LegTable table;
    private final CallListener listener;

    LegEnds(LegTable table, CallListener listener) {
        this.table = table;
        this.listener = listener;
    }

    /** Ends a leg, the first time only; with the monitor of its legs held. */
    void end(
            DialogLegs legs, Leg leg, long now, Leg.By by, String with, @Nullable SipMessage last) {
        if (leg.finish(now, by, with)) {
            if (last != null) {
                reason(leg, last);
            }
            tell(legs, leg);
            table.over(legs, leg, now);
        }
    }

    private void tell(DialogLegs legs, Leg leg) {
        listener.ended(
                legs.kind(leg),
                leg.outcome.status,
                leg.outcome.by.name().toLowerCase(Locale.ROOT),
                leg.answered() ? leg.endNanos - leg.answerNanos : -1);
        legs.call().ended(new OneCall.Ended(legs.callId, leg.number, leg.outcome.by, leg.endNanos));
    }

    /** Keeps the Reason of a message, the first that comes; with the monitor held. */
    static void reason(Leg leg, SipMessage message) {
        String reason = Invites.text(message, HeaderName.REASON);
        if (reason != null && leg.outcome.reason == null) {
            leg.outcome.reason = reason;
        }
    }

    /**
     * Nobody here has its dialogs any more: what is open is over, or goes another way. The last
     * message may be under way to its shard still, so this is said once it has had its time.
     */
    void noSession(DialogLegs legs, long now) {
        synchronized (legs) {
            for (Leg leg : legs.legs()) {
                if (!leg.ended()) {
                    table.over(legs, leg, now);
                }
            }
        }
    }

    /** That time is over. By the writer's thread. */
    void letGo(LegTable.Over one) {
        DialogLegs legs = one.legs();
        Leg leg = one.leg();
        synchronized (legs) {
            boolean passed = leg.proxied && leg.answered();
            String with = passed ? "out of sight" : leg.proxied ? "given up" : "session ended";
            if (leg.finish(one.sinceNanos(), passed ? Leg.By.NOBODY : Leg.By.SERVER, with)) {
                tell(legs, leg);
            }
        }
    }

    /**
     * Ends what nothing will end any more: INVITEs that nobody took, and legs whose sessions went
     * to another node. From time to time, by one thread.
     */
    void sweep(long now, long unansweredNanos) {
        for (DialogLegs legs : table.all()) {
            boolean unowned = legs.dropInvalid();
            synchronized (legs) {
                for (Leg leg : List.copyOf(legs.legs())) {
                    if (!unowned || leg.ended() || now - leg.beganNanos < unansweredNanos) {
                        continue;
                    }
                    if (legs.hadSession() || leg.answered()) {
                        end(legs, leg, now, Leg.By.NOBODY, "out of sight", null);
                    } else {
                        end(legs, leg, now, Leg.By.SERVER, "no answer given", null);
                    }
                }
            }
        }
    }

    /** Another node goes on with them: it writes their end. */
    void moved(DialogLegs legs, long now) {
        synchronized (legs) {
            leave(legs, now, CallRecord.MOVED);
        }
    }

    private void leave(DialogLegs legs, long now, String how) {
        for (Leg leg : List.copyOf(legs.legs())) {
            if (leg.leave(now, how)) {
                table.over(legs, leg, now);
            }
        }
    }

    /**
     * The server stops: every leg ends.
     *
     * @param others are there other nodes, which may go on with it?
     */
    void stop(long now, boolean others) {
        for (DialogLegs legs : table.all()) {
            synchronized (legs) {
                if (others) {
                    leave(legs, now, CallRecord.LOST);
                    continue;
                }
                for (Leg leg : List.copyOf(legs.legs())) {
                    end(legs, leg, now, Leg.By.SERVER, "server stopped", null);
                }
            }
        }
    }
}
