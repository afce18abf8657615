package io.carillon.telemetry.records;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What an INVITE makes of legs: a leg begins, rings, is answered, forked, refused, cancelled, or
 * goes again with credentials. On shards; the monitor of its {@link DialogLegs} guards a leg.
 */
final class InviteLegs {
    private final LegTable table;
    private final LegEnds ends;
    private final LongSupplier millis;
    private final Predicate<Hop> trusted;
    private final Function<Hop, String> peers;
    private final boolean codecs;
    private final CallListener listener;

    /**
     * @param millis the wall clock
     * @param trusted whose asserted identities count
     * @param peers names of peers; empty for a stranger
     * @param codecs are lines of session descriptions kept?
     */
    InviteLegs(
            LegTable table,
            LegEnds ends,
            LongSupplier millis,
            Predicate<Hop> trusted,
            Function<Hop, String> peers,
            boolean codecs,
            CallListener listener) {
        this.table = table;
        this.ends = ends;
        this.millis = millis;
        this.trusted = trusted;
        this.peers = peers;
        this.codecs = codecs;
        this.listener = listener;
    }

    /** An INVITE without To tag. */
    void invite(SipRequest request, boolean in, Hop hop, long now) {
        DialogLegs known = table.find(request.callId());
        if (known != null) {
            synchronized (known) {
                Leg same = known.byBranch(in, Invites.branch(request), request.cseqNumber());
                if (same != null) {
                    same.outcome.repeatsIn += in ? 1 : 0;
                    return;
                }
            }
        }
        Leg.Invite invite =
                Invites.of(
                        request,
                        in,
                        hop,
                        !in || trusted.test(hop),
                        peers.apply(hop),
                        listener.listeningPoint(hop));
        if (known != null && goesAgain(known, invite)) {
            return;
        }
        if (!table.admit()) {
            return;
        }
        Leg leg = new Leg(table.next(), invite, now, millis.getAsLong(), null);
        if (codecs) {
            leg.outcome.offer = Invites.codecs(request);
        }
        DialogLegs legs = enter(request.callId(), leg);
        if (legs != null) {
            link(legs, invite, now);
        }
    }

    /** The INVITE of a leg that was challenged comes with credentials. */
    private static boolean goesAgain(DialogLegs known, Leg.Invite invite) {
        synchronized (known) {
            Leg before = known.challenged(invite.in(), invite.fromTag(), invite.peer());
            if (before == null || before.attempt.cseq() >= invite.cseq()) {
                return false;
            }
            before.attempt = new Leg.Attempt(invite.branch(), invite.cseq());
            before.endNanos = Leg.NEVER;
            before.challenged = false;
            before.outcome.status = 0;
            before.outcome.phrase = null;
            before.outcome.with = null;
            before.outcome.by = Leg.By.NOBODY;
            known.call().goesOn(before.number);
            return true;
        }
    }

    private @Nullable DialogLegs enter(String callId, Leg leg) {
        while (true) {
            DialogLegs legs = table.enter(callId);
            synchronized (legs) {
                if (!legs.gone()) {
                    if (legs.add(leg)) {
                        return legs;
                    }
                    table.refuse();
                    return null;
                }
            }
            Thread.onSpinWait(); // it is being taken out of the table
        }
    }

    private void link(DialogLegs legs, Leg.Invite invite, long now) {
        if (!invite.in()) {
            return;
        }
        String of = null;
        if (invite.replaces() != null) {
            DialogLegs replaced = table.find(invite.replaces());
            of = replaced == null ? null : replaced.call().id;
        }
        if (of == null) {
            of =
                    table.referred(
                            Invites.target(invite.requestUri()),
                            invite.from(),
                            invite.referredBy() != null,
                            now);
        }
        if (of != null) {
            legs.transferOf(of);
        }
    }

    /** Its CANCEL. */
    void cancel(SipRequest cancel, boolean in) {
        DialogLegs legs = table.find(cancel.callId());
        if (legs == null) {
            return;
        }
        synchronized (legs) {
            Leg leg = legs.byBranch(in, Invites.branch(cancel), cancel.cseqNumber());
            if (leg != null && !leg.ended()) {
                leg.cancelled = true;
                LegEnds.reason(leg, cancel);
            }
        }
    }

    /** A response to it; with the monitor of its legs held. */
    void toInvite(
            DialogLegs legs, Leg leg, SipResponse response, boolean sent, long now, boolean again) {
        int status = response.status();
        if (status <= 100) {
            return;
        }
        if (again) {
            leg.outcome.repeatsOut++;
        } else if (status < 200) {
            if (leg.ringNanos == Leg.NEVER) {
                leg.ringNanos = now;
                listener.rang(legs.kind(leg), now - leg.beganNanos);
            }
            keepAnswer(leg, response);
        } else if (status < 300) {
            success(legs, leg, response, now);
        } else if (leg.ended() || leg.answered()) {
            leg.outcome.repeatsIn += sent ? 0 : 1;
        } else {
            failure(legs, leg, response, sent, now);
        }
    }

    private void keepAnswer(Leg leg, SipResponse response) {
        if (codecs && leg.outcome.answer == null) {
            leg.outcome.answer = Invites.codecs(response);
        }
    }

    private void success(DialogLegs legs, Leg leg, SipResponse response, long now) {
        String tag = response.toTag();
        if (leg.answered()) {
            fork(legs, leg, tag, now);
            return;
        }
        leg.toTag = tag;
        answer(legs, leg, response.status(), response.reason(), now);
        keepAnswer(leg, response);
    }

    private void answer(DialogLegs legs, Leg leg, int status, @Nullable String phrase, long now) {
        leg.answerNanos = now;
        leg.outcome.status = status;
        leg.outcome.phrase = phrase == null ? null : Invites.cut(phrase);
        listener.answered(legs.kind(leg), now - leg.beganNanos);
    }

    /** RFC 3261 13.2.2.4: an INVITE may have several 2xx, each of them a dialog. */
    private void fork(DialogLegs legs, Leg leg, @Nullable String tag, long now) {
        String id = leg.id(table);
        for (Leg other : legs.legs()) {
            if ((Objects.equals(other, leg) || id.equals(other.forkOf(table)))
                    && Objects.equals(other.toTag, tag)) {
                other.outcome.repeatsIn += leg.invite.in() ? 0 : 1;
                return;
            }
        }
        leg.outcome.forks++;
        if (!table.admit()) {
            return;
        }
        Leg fork = new Leg(table.next(), leg.invite, leg.beganNanos, leg.beganMillis, leg);
        fork.ringNanos = leg.ringNanos;
        fork.toTag = tag;
        if (legs.add(fork)) {
            answer(legs, fork, leg.outcome.status, leg.outcome.phrase, now);
        } else {
            table.refuse();
        }
    }

    private void failure(DialogLegs legs, Leg leg, SipResponse response, boolean sent, long now) {
        int status = response.status();
        leg.outcome.status = status;
        leg.outcome.phrase = Invites.cut(response.reason());
        leg.toTag = response.toTag();
        // RFC 3261 22: the INVITE goes again, with credentials and the next CSeq.
        leg.challenged = status == 401 || status == 407;
        boolean cancelled = leg.cancelled && status == 487;
        Leg.By by;
        if (cancelled) {
            by = sent ? Leg.By.CALLER : Leg.By.SERVER;
        } else {
            by = sent ? Leg.By.SERVER : Leg.By.CALLEE;
        }
        ends.end(legs, leg, now, by, cancelled ? "CANCEL" : "refusal", response);
    }
}
