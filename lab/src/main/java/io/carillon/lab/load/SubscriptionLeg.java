package io.carillon.lab.load;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import org.jspecify.annotations.Nullable;

/**
 * The voice mail server's side of a subscription to message waiting (RFC 3842): a NOTIFY at once
 * (RFC 6665 4.2.1.2), one for each waiting message, a last one when the subscription ends. Owner:
 * the engine's thread.
 */
final class SubscriptionLeg extends Leg {
    private enum State {
        /** Nothing is out; the next message waits for its time. */
        QUIET,
        /** A NOTIFY is out. */
        NOTIFYING,
        /** Over; waits for late messages. */
        DONE
    }

    /** Messages that wait in the box. */
    static final int MESSAGES = 4;

    private static final char NOTIFY = 'n';

    private final LoadEngine engine;
    private final UasDialog dialog;
    private State state = State.DONE;
    private @Nullable VisitLeg visit;
    private boolean counted;
    private boolean ending;
    private boolean last;
    private int told;
    private long gapNanos;
    private long sentNanos;
    private long intervalNanos;
    private long deadlineNanos;

    SubscriptionLeg(int index, LoadEngine engine) {
        super(index);
        this.engine = engine;
        dialog = new UasDialog(engine);
    }

    @Override
    char side() {
        return 'n';
    }

    void subscribed(SipRequest subscribe, VisitLeg visit, boolean counted, Hop from, long now) {
        this.visit = visit;
        this.counted = counted;
        ending = false;
        last = false;
        told = 0;
        gapNanos = engine.plan().holdNanos() / (MESSAGES + 1);
        dialog.begin(subscribe);
        engine.answerFirst(from, subscribe, this);
        notify(now);
    }

    private void notify(long now) {
        state = State.NOTIFYING;
        dialog.next();
        sentNanos = now;
        intervalNanos = T1;
        deadlineNanos = now + TIMEOUT;
        engine.schedule(this, engine.reliable() ? deadlineNanos : now + T1);
        last = ending;
        send();
    }

    private void send() {
        dialog.send(
                this,
                "NOTIFY",
                NOTIFY,
                last
                        ? "Event: message-summary\r\nSubscription-State: terminated;reason=timeout\r\n"
                        : "Event: message-summary\r\nSubscription-State: active;expires=600\r\n");
    }

    @Override
    protected void fire(long now) {
        switch (state) {
            case QUIET -> notify(now);
            case NOTIFYING -> again(now);
            case DONE -> engine.subscriptions().giveBack(this);
        }
    }

    private void again(long now) {
        if (now >= deadlineNanos) {
            failed("NOTIFY " + FailureCauses.TIMEOUT, now);
            return;
        }
        engine.stats().sentAgain();
        intervalNanos = Math.min(2 * intervalNanos, T2);
        engine.schedule(this, Math.min(now + intervalNanos, deadlineNanos));
        send();
    }

    @Override
    void response(SipResponse response, char kind, Hop from, long now) {
        if (response.isProvisional()) {
            return;
        }
        if (state != State.NOTIFYING || !dialogAnswers(response)) {
            engine.stats().receivedAgain();
            return;
        }
        engine.stats().answered(counted, now - sentNanos);
        if (!response.isSuccess()) {
            failed("NOTIFY " + FailureCauses.status(response.status()), now);
        } else if (last) {
            over(now);
        } else if (ending) {
            notify(now);
        } else {
            state = State.QUIET;
            engine.cancel(this);
            if (told++ < MESSAGES) {
                engine.schedule(this, now + gapNanos);
            }
        }
    }

    private boolean dialogAnswers(SipResponse response) {
        return response.cseq().number() == dialog.number();
    }

    @Override
    void request(SipRequest request, Hop from, long now) {
        if (!request.is("SUBSCRIBE")) {
            engine.stats().unexpected();
            if (!request.is("ACK")) {
                engine.answer(from, request, 501, "Not Implemented");
            }
            return;
        }
        engine.answer(from, request, 200, "OK");
        if (state == State.DONE || ending) {
            engine.stats().receivedAgain();
            return;
        }
        // RFC 6665 4.1.2.3: "Unsubscribing is handled in the same way as refreshing of a
        // subscription, with the Expires header field set to 0."
        String expires = request.header(HeaderName.EXPIRES);
        ending = expires != null && expires.strip().equals("0");
        if (ending && state == State.QUIET) {
            notify(now);
        }
    }

    private void over(long now) {
        done(now);
        VisitLeg owner = visit;
        visit = null;
        if (owner != null) {
            owner.unsubscribed(now);
        }
    }

    private void failed(String cause, long now) {
        done(now);
        VisitLeg owner = visit;
        visit = null;
        if (owner != null) {
            owner.failed(cause, now);
        }
    }

    /** The visit has failed: nobody waits for this any more. */
    void abandon(long now) {
        visit = null;
        if (state != State.DONE) {
            done(now);
        }
    }

    private void done(long now) {
        state = State.DONE;
        engine.schedule(this, now + T4);
    }

    @Override
    void sendFailed(long now) {
        if (state == State.NOTIFYING) {
            failed(FailureCauses.TRANSPORT, now);
        }
    }

    @Override
    boolean stop(long at) {
        return false; // the application unsubscribes when the call ends
    }
}
