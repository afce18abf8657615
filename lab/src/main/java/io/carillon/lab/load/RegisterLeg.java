package io.carillon.lab.load;

import io.carillon.sip.auth.DigestClient;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.AuthHeader;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import org.jspecify.annotations.Nullable;

/**
 * One registration: REGISTER, the challenge, REGISTER with credentials, 200 (RFC 3261 10.2 and 22).
 * Owner: the engine's thread.
 */
final class RegisterLeg extends Leg {
    private enum State {
        SENT,
        SENT_WITH_CREDENTIALS,
        /** Counted; waits for late messages. */
        DONE
    }

    private final LoadEngine engine;
    private State state = State.DONE;
    private RegisteredUser user = new RegisteredUser("", "");
    private boolean counted;
    private long dueNanos;
    private long requestNanos;
    private long intervalNanos;
    private long deadlineNanos;
    private @Nullable String authorization;

    RegisterLeg(int index, LoadEngine engine) {
        super(index);
        this.engine = engine;
    }

    @Override
    char side() {
        return 'r';
    }

    void begin(RegisteredUser user, long dueNanos, long now) {
        this.user = user;
        this.dueNanos = dueNanos;
        counted = engine.stats().isWarm();
        authorization = null;
        engine.stats().made(counted, now - dueNanos);
        request(State.SENT, now);
    }

    private void request(State next, long now) {
        state = next;
        requestNanos = now;
        intervalNanos = T1;
        deadlineNanos = now + TIMEOUT;
        engine.schedule(this, engine.reliable() ? deadlineNanos : now + T1);
        send();
    }

    private void send() {
        engine.send(
                engine.places().callerToServer(),
                engine.registerTexts().register(this, kind(), user, authorization),
                this);
    }

    private char kind() {
        return state == State.SENT ? RegisterTexts.FIRST : RegisterTexts.WITH_CREDENTIALS;
    }

    // RFC 3261 17.1.2.2, timers E and F.
    @Override
    protected void fire(long now) {
        if (state == State.DONE) {
            engine.registers().giveBack(this);
        } else if (now >= deadlineNanos) {
            fail(FailureCauses.TIMEOUT, now);
        } else {
            engine.stats().sentAgain();
            intervalNanos = Math.min(2 * intervalNanos, T2);
            engine.schedule(this, Math.min(now + intervalNanos, deadlineNanos));
            send();
        }
    }

    @Override
    void response(SipResponse response, char kind, Hop from, long now) {
        if (response.isProvisional()) {
            return;
        }
        if (state == State.DONE || kind != kind()) {
            engine.stats().receivedAgain();
        } else if (response.isSuccess()) {
            engine.stats().answered(counted, now - dueNanos);
            engine.stats().completed(counted);
            done(now);
        } else if (response.status() == 401 && state == State.SENT && challenge(response)) {
            engine.stats().answerTaken(counted, now - requestNanos);
            request(State.SENT_WITH_CREDENTIALS, now);
        } else {
            engine.stats().answerTaken(counted, now - requestNanos);
            fail(FailureCauses.status(response.status()), now);
        }
    }

    /** Makes the credentials; false when no challenge can be answered. */
    private boolean challenge(SipResponse response) {
        for (String text : response.headers(HeaderName.WWW_AUTHENTICATE)) {
            try {
                AuthHeader challenge = AuthHeader.parse(text);
                if (DigestClient.understands(challenge)) {
                    authorization =
                            DigestClient.of(challenge, user.name(), user.password())
                                    .answer(
                                            "REGISTER",
                                            engine.registerTexts().uri(),
                                            new byte[0],
                                            Integer.toHexString(engine.nextRandom()))
                                    .toString();
                    return true;
                }
            } catch (SipParseException e) {
                // Counted, and the next challenge is tried: RFC 8760 2.4.
                engine.stats().unexpected();
            }
        }
        return false;
    }

    @Override
    void request(SipRequest request, Hop from, long now) {
        engine.stats().unexpected();
        if (!request.method().equals("ACK")) {
            engine.answer(from, request, 481, "Call Does Not Exist");
        }
    }

    @Override
    void sendFailed(long now) {
        if (state != State.DONE) {
            fail(FailureCauses.TRANSPORT, now);
        }
    }

    @Override
    boolean stop(long at) {
        return false; // it ends by itself
    }

    private void fail(String cause, long now) {
        engine.stats().failed(counted, cause);
        done(now);
    }

    private void done(long now) {
        state = State.DONE;
        engine.schedule(this, now + T4);
    }
}
