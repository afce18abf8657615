package io.carillon.telemetry.records;

import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.TakeOver;
import io.carillon.sip.dialog.Dialog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;

/**
 * Legs that go with their call from one node of a cluster to another: what this one tells the next,
 * and what it makes of what the one before has told. With the turn of the call held.
 */
final class TakenLegs {
    private final LegTable table;
    private final Unclaimed unclaimed;
    private final String node;
    private final LongSupplier nanos;
    private final LongSupplier millis;

    /**
     * @param unclaimed messages that came before their call
     * @param node name of this server
     * @param nanos the clock of the shards
     * @param millis the wall clock
     */
    TakenLegs(
            LegTable table,
            Unclaimed unclaimed,
            String node,
            LongSupplier nanos,
            LongSupplier millis) {
        this.table = table;
        this.unclaimed = unclaimed;
        this.node = node;
        this.nanos = nanos;
        this.millis = millis;
    }

    /** The open legs of a call, for the next node; null where there is none. */
    @Nullable String kept(ApplicationSession parent) {
        List<KeptLeg> all = new ArrayList<>(2);
        Set<String> seen = new HashSet<>();
        for (ServletSession session : parent.sessions()) {
            DialogLegs legs = table.find(session.getCallId());
            if (legs == null || !seen.add(legs.callId)) {
                continue;
            }
            synchronized (legs) {
                for (Leg leg : legs.legs()) {
                    if (!leg.ended()) {
                        all.add(KeptLeg.of(table, legs, leg, node));
                    }
                }
            }
        }
        return all.isEmpty() ? null : KeptLeg.text(all);
    }

    /** The legs of a call that another node had are followed here from now on. */
    void goOn(ApplicationSession parent, String kept) {
        Set<String> callIds = new HashSet<>();
        parent.sessions().forEach(session -> callIds.add(session.getCallId()));
        List<KeptLeg> all = KeptLeg.read(kept);
        Map<String, OneCall> calls = new HashMap<>();
        for (KeptLeg one : all) {
            // Another application of the same call may have come before.
            DialogLegs known = table.find(one.invite().callId());
            if (known != null && known.call().id.equals(one.call())) {
                calls.put(one.call(), known.call());
            }
        }
        for (KeptLeg one : all) {
            if (callIds.contains(one.invite().callId())) {
                enter(one, calls.computeIfAbsent(one.call(), OneCall::new));
            }
        }
    }

    private void enter(KeptLeg one, OneCall call) {
        if (!table.admit()) {
            return;
        }
        long now = nanos.getAsLong();
        Leg leg =
                one.leg(
                        table.next(),
                        now,
                        TimeUnit.MILLISECONDS.toNanos(millis.getAsLong() - one.began()));
        if (one.fields() != null) {
            one.fields().forEach(call::field);
        }
        while (true) {
            DialogLegs legs = table.enter(one.invite().callId(), call);
            synchronized (legs) {
                if (!legs.gone()) {
                    if (legs.has(one.id(), table)) {
                        table.back();
                    } else if (!legs.take(leg, one)) {
                        table.refuse();
                    }
                    return;
                }
            }
            Thread.onSpinWait(); // it is being taken out of the table
        }
    }

    /** What came before the call is looked at. */
    void claim(DialogLegs legs) {
        unclaimed.claim(legs.callId).forEach(Runnable::run);
    }

    /**
     * A 2xx leaves when the record is written, and the node may have died before it wrote the next
     * one. So the record may not say that a leg was answered, and the dialog says it.
     */
    void answered(ServletSession session, DialogLegs legs, TakeOver how) {
        if (!session.dialog().isCall() || session.getState() != SipSession.State.CONFIRMED) {
            return;
        }
        long since =
                nanos.getAsLong() - TimeUnit.MILLISECONDS.toNanos(Math.max(0, how.ageMillis()));
        Dialog own = session.dialog().own();
        synchronized (legs) {
            for (Leg leg : legs.legs()) {
                if (leg.taken == null || leg.ended() || leg.answered()) {
                    continue;
                }
                if (own == null) {
                    asThrough(legs, leg, since);
                    continue;
                }
                String caller = leg.invite.in() ? own.key().remoteTag() : own.key().localTag();
                if (Objects.equals(leg.invite.fromTag(), caller)) {
                    answer(
                            leg,
                            since,
                            leg.invite.in() ? own.key().localTag() : own.key().remoteTag());
                }
            }
        }
    }

    /** A proxy passes on the 2xx of one of its branches. */
    private static void asThrough(DialogLegs legs, Leg leg, long since) {
        for (Leg other : legs.legs()) {
            if (leg.invite.in() && !other.invite.in() && other.answered() && other.proxied) {
                answer(leg, Math.max(since, other.answerNanos), other.toTag);
                return;
            }
        }
    }

    private static void answer(Leg leg, long since, @Nullable String toTag) {
        leg.answerNanos = Math.max(leg.beganNanos, since);
        leg.toTag = toTag;
        leg.outcome.status = 200;
    }
}
