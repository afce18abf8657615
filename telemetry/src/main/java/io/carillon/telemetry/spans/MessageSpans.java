package io.carillon.telemetry.spans;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.Tap;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Spans of transactions, by the messages that come and go. What stays within this server makes
 * none. A call begins with an INVITE; what else belongs to it has one of its Call-IDs.
 *
 * <p>Called by shards: it waits for nobody but another message of the same call, and what fails in
 * it is counted and harms no call.
 */
final class MessageSpans implements Tap {
    private final CallTable table;
    private final TraceIds ids;
    private final LongSupplier nanos;
    private final LongSupplier epochNanos;
    private final Predicate<Hop> named;
    private final SpanFaults faults;

    /**
     * @param nanos the clock of the shards
     * @param epochNanos the time since 1970
     * @param named is a peer of the configuration there?
     */
    MessageSpans(
            CallTable table,
            TraceIds ids,
            LongSupplier nanos,
            LongSupplier epochNanos,
            Predicate<Hop> named,
            SpanFaults faults) {
        this.table = table;
        this.ids = ids;
        this.nanos = nanos;
        this.epochNanos = epochNanos;
        this.named = named;
        this.faults = faults;
    }

    @Override
    public void received(Place place, SipMessage message, Hop from) {
        if (from.internal()) {
            return;
        }
        try {
            switch (message) {
                case SipRequest request -> request(request, true, from, place.now());
                case SipResponse response -> response(response, false, place.now());
            }
        } catch (RuntimeException | LinkageError e) {
            faults.add(e);
        }
    }

    @Override
    public void sent(Place place, SipMessage message, Hop to, boolean again) {
        if (to.internal()) {
            return;
        }
        try {
            switch (message) {
                case SipRequest request -> request(request, false, to, nanos.getAsLong());
                case SipResponse response -> response(response, true, nanos.getAsLong());
            }
        } catch (RuntimeException | LinkageError e) {
            faults.add(e);
        }
    }

    private void request(SipRequest request, boolean in, Hop hop, long now) {
        String method = request.method();
        if (method.equals(Methods.ACK)) {
            return; // no transaction of its own
        }
        String callId = request.callId();
        boolean initial = method.equals(Methods.INVITE) && request.toTag() == null;
        TracedCall call = table.find(callId);
        if (call == null) {
            call = initial ? begins(request, in, hop, now) : null;
        }
        if (call == null) {
            return;
        }
        CallSpan.Kind kind = in ? CallSpan.Kind.SERVER : CallSpan.Kind.CLIENT;
        long branch = TraceIds.branch(request);
        synchronized (call) {
            if (call.gone()) {
                return;
            }
            int known = call.transaction(kind, method, branch);
            if (known != CallTape.NONE) {
                call.repeated(known);
                return;
            }
            call.leg(callId, initial);
            if (table.takes(call)) {
                call.begins(kind, method, branch, callId, hop, now);
            }
        }
    }

    private @Nullable TracedCall begins(SipRequest invite, boolean in, Hop hop, long now) {
        TraceParent peers =
                in && invite.has(TraceParent.NAME) && named.test(hop)
                        ? TraceParent.of(invite)
                        : null;
        TracedCall call =
                new TracedCall(
                        ids.trace(peers),
                        peers == null ? 0 : peers.span(),
                        now,
                        epochNanos.getAsLong() - nanos.getAsLong());
        return table.enter(call, invite.callId(), true);
    }

    private void response(SipResponse response, boolean sent, long now) {
        int status = response.status();
        if (status == 100) {
            return; // it says nothing of the call
        }
        TracedCall call = table.find(response.callId());
        if (call == null) {
            return;
        }
        long branch = TraceIds.branch(response);
        synchronized (call) {
            if (call.gone()) {
                return;
            }
            int transaction =
                    sent
                            ? call.answered(response, branch)
                            : call.transaction(CallSpan.Kind.CLIENT, response.cseqMethod(), branch);
            if (transaction == CallTape.NONE) {
                call.endedUnseen(response);
                return;
            }
            if (call.isEnded(transaction)) {
                call.repeated(transaction);
            } else if (status < 200) {
                call.event(transaction, now, status);
            } else {
                call.ended(transaction, now, status);
                table.check(call, now);
            }
        }
    }

    @Override
    public void befell(
            Place place,
            Counter what,
            SipMessage message,
            @Nullable Hop hop,
            @Nullable String cause) {
        try {
            TracedCall call = table.find(message.callId());
            if (call == null) {
                return;
            }
            String words = what.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            String text = cause == null ? words : words + ": " + cause;
            long now = nanos.getAsLong();
            synchronized (call) {
                if (!call.gone()) {
                    befell(call, what, message, text, now);
                }
            }
        } catch (RuntimeException | LinkageError e) {
            faults.add(e);
        }
    }

    private void befell(TracedCall call, Counter what, SipMessage message, String text, long now) {
        long branch = message.has(HeaderName.VIA) ? TraceIds.branch(message) : 0;
        int transaction = call.transaction(CallSpan.Kind.CLIENT, message.cseqMethod(), branch);
        call.event(transaction, now, text);
        if (Failures.is(what)) {
            call.failed(text);
        }
        if (transaction != CallTape.NONE && !call.isEnded(transaction) && Failures.ends(what)) {
            call.ended(transaction, now, text);
            table.check(call, now);
        }
    }

    @Override
    public void resolved(Place place, String callId, String host, long beganNanos, int hops) {
        try {
            TracedCall call = table.find(callId);
            if (call == null) {
                return;
            }
            CallSpan span =
                    new CallSpan(CallSpan.Kind.DNS, host, ids.span(), call.id(), beganNanos)
                            .failed(hops == 0 ? "no usable address" : null)
                            .ended(nanos.getAsLong(), 0);
            synchronized (call) {
                if (!call.gone()) {
                    table.add(call, span);
                }
            }
        } catch (RuntimeException | LinkageError e) {
            faults.add(e);
        }
    }
}
