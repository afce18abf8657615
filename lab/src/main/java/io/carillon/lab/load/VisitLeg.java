package io.carillon.lab.load;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import org.jspecify.annotations.Nullable;

/**
 * One user of the web voice mail: asks the application for a call, in which the application calls
 * phone and voice mail server, subscribes to message waiting, and ends all of it when the user
 * hangs up, on the phone or on the page in turn. It has no messages of its own: its token in the
 * Request-URIs tells which legs belong together. Owner: the engine's thread.
 */
final class VisitLeg extends Leg {
    private enum State {
        /** Asked for; phone, voice mail server and subscription come. */
        CALLING,
        TALKING,
        /** Hung up; BYEs and the end of the subscription come. */
        ENDING,
        DONE
    }

    private final LoadEngine engine;
    private State state = State.DONE;
    private boolean counted;
    private boolean fromPage;
    private @Nullable CalleeLeg phone;
    private @Nullable CalleeLeg mail;
    private @Nullable SubscriptionLeg subscription;
    private int open;
    private int confirmed;

    VisitLeg(int index, LoadEngine engine) {
        super(index);
        this.engine = engine;
    }

    @Override
    char side() {
        return 'v';
    }

    void begin(long dueNanos, long now, boolean fromPage) {
        this.fromPage = fromPage;
        counted = engine.stats().isWarm();
        phone = null;
        mail = null;
        subscription = null;
        open = 0;
        confirmed = 0;
        state = State.CALLING;
        engine.stats().made(counted, now - dueNanos);
        engine.schedule(this, now + TIMEOUT);
        engine.trigger().call(uri('p'), uri('m'), counted, failure());
    }

    private String uri(char who) {
        return engine.calleeUri(who, this);
    }

    private java.util.function.Consumer<String> failure() {
        int use = generation();
        return why -> {
            if (used() && generation() == use && state != State.DONE) {
                failed(why, engine.now());
            }
        };
    }

    /** Phone or voice mail server were called. */
    void called(char who, CalleeLeg leg) {
        if (who == 'p') {
            phone = leg;
        } else {
            mail = leg;
        }
        open++;
    }

    /** An ACK came to a leg. */
    void confirmed(long now) {
        confirmed++;
        established(now);
    }

    void subscribed(SipRequest subscribe, Hop from, long now) {
        SubscriptionLeg leg = engine.subscriptions().take();
        subscription = leg;
        open++;
        leg.subscribed(subscribe, this, counted, from, now);
        established(now);
    }

    boolean takesSubscription() {
        return subscription == null && (state == State.CALLING || state == State.TALKING);
    }

    /** The SUBSCRIBE came again: our answer was lost. */
    void subscribedAgain(SipRequest subscribe, Hop from) {
        engine.stats().receivedAgain();
        SubscriptionLeg leg = subscription;
        if (leg != null && leg.used()) {
            engine.stats().sentAgain();
            engine.answerFirst(from, subscribe, leg);
        }
    }

    private void established(long now) {
        if (state == State.CALLING && confirmed >= 2 && subscription != null) {
            state = State.TALKING;
            long hold = engine.stopping() ? 0 : engine.plan().holdNanos();
            engine.schedule(this, now + hold);
        }
    }

    @Override
    protected void fire(long now) {
        switch (state) {
            case CALLING ->
                    failed(confirmed < 2 ? "no call from the application" : "no SUBSCRIBE", now);
            case TALKING -> hangUp(now);
            case ENDING -> failed("not ended by the application", now);
            case DONE -> engine.visits().giveBack(this);
        }
    }

    private void hangUp(long now) {
        state = State.ENDING;
        engine.schedule(this, now + TIMEOUT);
        CalleeLeg ringing = phone;
        if (fromPage || ringing == null) {
            engine.trigger().hangUp(uri('p'), uri('m'), counted, failure());
        } else {
            ringing.hangUp(now);
        }
    }

    /** A leg's call is over. */
    void ended(long now) {
        closed(now);
    }

    void unsubscribed(long now) {
        closed(now);
    }

    private void closed(long now) {
        open--;
        if (open > 0 || state == State.DONE) {
            return;
        }
        if (state == State.ENDING) {
            engine.stats().completed(counted);
            done(now);
        } else {
            failed("ended by the application", now);
        }
    }

    void failed(String cause, long now) {
        if (state == State.DONE) {
            return;
        }
        engine.stats().failed(counted, cause);
        done(now);
        if (phone != null) {
            phone.abandon(now);
        }
        if (mail != null) {
            mail.abandon(now);
        }
        if (subscription != null) {
            subscription.abandon(now);
        }
    }

    private void done(long now) {
        state = State.DONE;
        engine.trigger().left(uri('p'));
        engine.schedule(this, now + T4);
    }

    @Override
    void response(SipResponse response, char kind, Hop from, long now) {
        engine.stats().unexpected();
    }

    @Override
    void request(SipRequest request, Hop from, long now) {
        engine.stats().unexpected();
    }

    @Override
    void sendFailed(long now) {
        // It sends nothing itself.
    }

    @Override
    boolean stop(long at) {
        if (state == State.TALKING) {
            engine.schedule(this, at);
        }
        return state == State.TALKING;
    }
}
