package io.carillon.telemetry.records;

import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.Tap;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Follows the legs of calls by the messages that come and go. What stays within this server makes
 * no leg.
 *
 * <p>Called by shards: it waits for nobody but another message of the same Call-ID, and what fails
 * in it is logged and harms no call.
 */
final class CallWatch implements Tap {
    private final LegTable table;
    private final InviteLegs invites;
    private final LegEnds ends;
    private final LongSupplier nanos;
    private final Faults faults;
    private final CallListener listener;

    /** Null for a server that is alone. */
    private final @Nullable Unclaimed unclaimed;

    /**
     * @param nanos the clock of the shards
     * @param unclaimed where other nodes have calls too; null where there are none
     */
    CallWatch(
            LegTable table,
            InviteLegs invites,
            LegEnds ends,
            LongSupplier nanos,
            Faults faults,
            CallListener listener,
            @Nullable Unclaimed unclaimed) {
        this.listener = listener;
        this.unclaimed = unclaimed;
        this.table = table;
        this.invites = invites;
        this.ends = ends;
        this.nanos = nanos;
        this.faults = faults;
    }

    @Override
    public void received(Place place, SipMessage message, Hop from) {
        if (from.internal()) {
            return;
        }
        try {
            if (unclaimed != null && mayEnd(message) && table.find(message.callId()) == null) {
                unclaimed.add(
                        message.callId(), place.now(), () -> look(message, from, place.now()));
                return;
            }
            look(message, from, place.now());
        } catch (RuntimeException | LinkageError e) {
            faults.add(e);
        }
    }

    private void look(SipMessage message, Hop from, long now) {
        switch (message) {
            case SipRequest request -> request(request, true, from, now);
            case SipResponse response -> response(response, false, now, false);
        }
    }

    private static boolean mayEnd(SipMessage message) {
        boolean may =
                switch (message) {
                    case SipRequest request ->
                            request.is(Methods.BYE) || request.is(Methods.CANCEL);
                    case SipResponse response -> response.cseqMethod().equals(Methods.INVITE);
                };
        return may && message.length() <= Unclaimed.MOST_BYTES;
    }

    @Override
    public void sent(Place place, SipMessage message, Hop to, boolean again) {
        if (to.internal()) {
            return;
        }
        try {
            switch (message) {
                case SipRequest request when again -> repeated(request);
                case SipRequest request -> request(request, false, to, nanos.getAsLong());
                case SipResponse response -> response(response, true, nanos.getAsLong(), again);
            }
        } catch (RuntimeException | LinkageError e) {
            faults.add(e);
        }
    }

    private void request(SipRequest request, boolean in, Hop hop, long now) {
        switch (request.method()) {
            case Methods.INVITE -> {
                if (request.toTag() == null) {
                    invites.invite(request, in, hop, now);
                } else if (in) {
                    inDialog(request);
                }
            }
            case Methods.CANCEL -> invites.cancel(request, in);
            case Methods.BYE -> bye(request, in, now);
            case Methods.REFER -> refer(request, now);
            default -> {}
        }
    }

    private void bye(SipRequest bye, boolean in, long now) {
        if (in && inDialog(bye)) {
            return;
        }
        DialogLegs legs = table.find(bye.callId());
        if (legs == null) {
            return;
        }
        String from = bye.fromTag();
        String to = bye.toTag();
        synchronized (legs) {
            for (Leg leg : List.copyOf(legs.legs())) {
                boolean byCaller = is(leg, from, to);
                if (leg.answered() && (byCaller || is(leg, to, from))) {
                    Leg.By by = in ? (byCaller ? Leg.By.CALLER : Leg.By.CALLEE) : Leg.By.SERVER;
                    ends.end(legs, leg, now, by, "BYE", bye);
                }
            }
        }
    }

    private static boolean is(Leg leg, @Nullable String fromTag, @Nullable String toTag) {
        return Objects.equals(leg.invite.fromTag(), fromTag) && Objects.equals(leg.toTag, toTag);
    }

    /** Counts a request in a dialog that comes again. True when it does. */
    private boolean inDialog(SipRequest request) {
        DialogLegs legs = table.find(request.callId());
        if (legs == null) {
            return false;
        }
        String what = request.cseqNumber() + " " + request.method() + " " + request.fromTag();
        synchronized (legs) {
            for (Leg leg : legs.legs()) {
                if (is(leg, request.fromTag(), request.toTag())
                        || is(leg, request.toTag(), request.fromTag())) {
                    boolean again = what.equals(leg.outcome.lastIn);
                    leg.outcome.lastIn = what;
                    if (again) {
                        leg.outcome.repeatsIn++;
                        return true;
                    }
                    return false;
                }
            }
        }
        return false;
    }

    /** Only to where somebody is sent; what comes of it is another call, or another leg. */
    private void refer(SipRequest refer, long now) {
        DialogLegs legs = table.find(refer.callId());
        String value = refer.header(HeaderName.REFER_TO);
        if (legs == null || value == null) {
            return;
        }
        String target;
        try {
            target = NameAddress.parse(value).uri().toString();
        } catch (SipParseException e) {
            return; // refused by who reads it
        }
        synchronized (legs) {
            for (Leg leg : legs.legs()) {
                if (is(leg, refer.fromTag(), refer.toTag())
                        || is(leg, refer.toTag(), refer.fromTag())) {
                    leg.outcome.referTo = Invites.cut(target);
                }
            }
        }
        table.referral(Invites.target(target), Invites.party(refer.to()), legs.call().id, now);
    }

    private void response(SipResponse response, boolean sent, long now, boolean again) {
        String method = response.cseqMethod();
        boolean invite = method.equals(Methods.INVITE);
        if (!invite && !(again && method.equals(Methods.BYE))) {
            return;
        }
        DialogLegs legs = table.find(response.callId());
        if (legs == null) {
            return;
        }
        synchronized (legs) {
            if (invite) {
                Leg leg = legs.byBranch(sent, Invites.branch(response), response.cseqNumber());
                if (leg != null) {
                    invites.toInvite(legs, leg, response, sent, now, again);
                }
            } else {
                for (Leg leg : legs.legs()) {
                    if (is(leg, response.fromTag(), response.toTag())
                            || is(leg, response.toTag(), response.fromTag())) {
                        leg.outcome.repeatsOut++;
                        return;
                    }
                }
            }
        }
    }

    /** A request of ours is sent again. */
    private void repeated(SipRequest request) {
        DialogLegs legs = table.find(request.callId());
        if (legs == null) {
            return;
        }
        synchronized (legs) {
            Leg leg =
                    request.is(Methods.INVITE)
                            ? legs.byBranch(false, Invites.branch(request), request.cseqNumber())
                            : null;
            for (Leg other : legs.legs()) {
                if (leg == null
                        && (is(other, request.fromTag(), request.toTag())
                                || is(other, request.toTag(), request.fromTag()))) {
                    leg = other;
                }
            }
            if (leg != null) {
                leg.outcome.repeatsOut++;
            }
        }
    }

    @Override
    public void resolved(Place place, String callId, String host, long beganNanos, int hops) {
        listener.resolved(hops > 0, Math.max(0, nanos.getAsLong() - beganNanos));
    }

    @Override
    public void befell(
            Place place,
            Counter what,
            SipMessage message,
            @Nullable Hop hop,
            @Nullable String cause) {
        try {
            DialogLegs legs = table.find(message.callId());
            if (legs == null || !message.cseqMethod().equals(Methods.INVITE)) {
                return;
            }
            synchronized (legs) {
                boolean ours = message instanceof SipRequest;
                Leg leg = legs.byBranch(!ours, Invites.branch(message), message.cseqNumber());
                if (leg == null) {
                    leg = legs.byBranch(ours, Invites.branch(message), message.cseqNumber());
                }
                if (leg != null) {
                    befell(legs, leg, what, cause);
                }
            }
        } catch (RuntimeException | LinkageError e) {
            faults.add(e);
        }
    }

    private void befell(DialogLegs legs, Leg leg, Counter what, @Nullable String cause) {
        String words = what.name().toLowerCase(Locale.ROOT);
        leg.outcome.problem = Invites.cut(cause == null ? words : words + ": " + cause);
        if (!leg.invite.in() && !leg.answered()) {
            switch (what) {
                case CLIENT_TIMEOUTS ->
                        ends.end(legs, leg, nanos.getAsLong(), Leg.By.NETWORK, "no response", null);
                case TRANSPORT_FAILURES, FAILOVERS, UNRESOLVED ->
                        ends.end(legs, leg, nanos.getAsLong(), Leg.By.NETWORK, "not sent", null);
                default -> {}
            }
        }
    }
}
