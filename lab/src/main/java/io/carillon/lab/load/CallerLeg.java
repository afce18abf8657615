package io.carillon.lab.load;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;

/**
 * The caller's side of one call: INVITE, ACK, hold, BYE, with the client transactions of RFC 3261
 * 17.1 folded into one state and one timer. Owner: the engine's thread.
 */
final class CallerLeg extends Leg {
    private enum State {
        /** The INVITE is out, nothing came back. */
        CALLING,
        /** A provisional answer came. */
        PROCEEDING,
        /** Answered and confirmed; held until the timer. */
        TALKING,
        /** The BYE is out. */
        ENDING,
        /** The CANCEL is out, the INVITE's final answer is waited for. */
        CANCELLING,
        /** Counted; waits for late messages. */
        DONE
    }

    /** RFC 3261 13.2.1 leaves it to us how long we ring: as long as Timer C makes a proxy wait. */
    private static final long ANSWER_NANOS = 180_000_000_000L;

    private final LoadEngine engine;
    private final DialogPart dialog = new DialogPart();
    private State state = State.DONE;
    private final CallFate fate = new CallFate();
    private int provisionals;
    private long dueNanos;
    private long intervalNanos;
    private long deadlineNanos;
    private long requestNanos;
    private Hop hop;

    CallerLeg(int index, LoadEngine engine) {
        super(index);
        this.engine = engine;
        this.hop = engine.places().callerToServer();
    }

    @Override
    char side() {
        return 'c';
    }

    /**
     * Begins a call.
     *
     * @param dueNanos when it should have begun: response times count from then
     * @param again by a caller who was refused
     */
    void begin(long dueNanos, long nowNanos, boolean again) {
        this.dueNanos = dueNanos;
        fate.begin(engine.stats().isWarm(), again);
        provisionals = 0;
        state = State.CALLING;
        engine.stats().made(fate.counted, nowNanos - dueNanos);
        if (again) {
            engine.stats().outcomes().redialed();
        }
        requestSent(nowNanos);
        sendInvite();
    }

    private void sendInvite() {
        engine.send(engine.places().callerToServer(), engine.callerTexts().invite(this), this);
    }

    private void requestSent(long now) {
        requestNanos = now;
        deadlineNanos = now + TIMEOUT;
        intervalNanos = T1;
        engine.schedule(this, engine.reliable() ? deadlineNanos : now + T1);
    }

    @Override
    protected void fire(long now) {
        switch (state) {
            case CALLING, ENDING -> again(now);
            case PROCEEDING -> cancel(now);
            case CANCELLING -> fail(FailureCauses.NO_FINAL_ANSWER, T4, now);
            case TALKING -> bye(now);
            case DONE -> engine.callers().giveBack(this);
        }
    }

    // RFC 3261 17.1.1.2: "When timer A fires, the client transaction MUST retransmit the request".
    // 17.1.2.2, timer E: the same, with an interval of at most T2.
    private void again(long now) {
        if (now >= deadlineNanos) {
            fate.abandoned = state == State.CALLING;
            if (state == State.ENDING) {
                engine.stats().inDialog(TIMEOUT);
            } else {
                engine.stats().outcomes().silent();
            }
            fail(FailureCauses.TIMEOUT, TIMEOUT, now);
            return;
        }
        engine.stats().sentAgain();
        intervalNanos = state == State.ENDING ? Math.min(2 * intervalNanos, T2) : 2 * intervalNanos;
        engine.schedule(this, Math.min(now + intervalNanos, deadlineNanos));
        if (state == State.CALLING) {
            sendInvite();
        } else {
            sendBye();
        }
    }

    @Override
    void response(SipResponse response, char kind, Hop from, long now) {
        if (kind == CallerTexts.BYE) {
            byeAnswered(response, now);
        } else if (!engine.answersTo(response, 'I')) {
            // The answer to a CANCEL: what matters is the INVITE's.
            return;
        } else if (response.isProvisional()) {
            provisional(response, now);
        } else if (response.isSuccess()) {
            success(response, now);
        } else {
            refused(response, now);
        }
    }

    private void provisional(SipResponse response, long now) {
        int bit = 1 << Math.min(response.status() - 100, 31);
        if ((provisionals & bit) != 0) {
            engine.stats().receivedAgain();
        }
        provisionals |= bit;
        accepted();
        if (state == State.CALLING) {
            state = State.PROCEEDING;
            if (engine.stopping()) {
                cancel(now);
            } else {
                engine.schedule(this, dueNanos + engine.plan().ringNanos() + ANSWER_NANOS);
            }
        }
    }

    /** Something other than a refusal came; after a refusal a late repeat was served. */
    private void accepted() {
        if (fate.refused) {
            fate.refused = false;
            engine.stats().outcomes().ghost();
        } else if (!fate.accepted && state != State.DONE) {
            fate.accepted = true;
            engine.stats().outcomes().accepted();
        }
    }

    private void success(SipResponse response, long now) {
        accepted();
        switch (state) {
            case CALLING, PROCEEDING -> answered(response, now);
            case CANCELLING -> {
                confirm(response);
                bye(now);
            }
            case TALKING, ENDING -> {
                engine.stats().receivedAgain();
                sendAck();
            }
            case DONE -> late(response);
        }
    }

    private void answered(SipResponse response, long now) {
        long waited = now - dueNanos - engine.plan().ringNanos();
        fate.prompt = waited <= engine.plan().lateNanos();
        engine.stats().answered(fate.counted, waited);
        confirm(response);
        state = State.TALKING;
        if (engine.plan().holdNanos() == 0 || engine.stopping()) {
            bye(now);
        } else {
            engine.schedule(this, now + engine.plan().holdNanos());
        }
    }

    private void confirm(SipResponse response) {
        dialog.ofResponse(response, engine.scan(), engine.scratch());
        hop = dialog.hop(engine.ways(), engine.scan(), engine.places().callerToServer());
        sendAck();
    }

    private void sendAck() {
        engine.send(hop, engine.callerTexts().ack(this, dialog), null);
    }

    /** A 2xx after the end: the far end thinks that there is a call. */
    private void late(SipResponse response) {
        if (!fate.abandoned) {
            engine.stats().receivedAgain();
            sendAck();
            return;
        }
        fate.abandoned = false;
        confirm(response);
        sendBye();
    }

    private void refused(SipResponse response, long now) {
        int to = response.find(HeaderName.TO, 0);
        int headersEnd =
                engine.callerTexts()
                        .ackRefusal(
                                this,
                                response.bytes(),
                                response.valueStart(to),
                                response.valueEnd(to));
        engine.send(engine.places().callerToServer(), headersEnd, null);
        switch (state) {
            case CALLING, PROCEEDING -> {
                engine.stats()
                        .answerTaken(fate.counted, now - dueNanos - engine.plan().ringNanos());
                turnedAway(now);
                fail(FailureCauses.status(response.status()), TIMEOUT, now);
            }
            case CANCELLING ->
                    fail(
                            engine.stopping()
                                    ? FailureCauses.STOPPED
                                    : FailureCauses.NO_FINAL_ANSWER,
                            T4,
                            now);
            default -> engine.stats().receivedAgain();
        }
    }

    /**
     * Who was accepted and is refused then has no call that failed to begin, but one that broke.
     */
    private void turnedAway(long now) {
        if (!fate.accepted) {
            fate.refused = true;
            // A late repeat that is served all the same makes a call that nobody wants.
            fate.abandoned = true;
            engine.stats().outcomes().refused();
            if (!fate.redialed) {
                engine.redials().refused(now);
            }
        }
    }

    private void bye(long now) {
        state = State.ENDING;
        requestSent(now);
        sendBye();
    }

    private void sendBye() {
        engine.send(hop, engine.callerTexts().bye(this, dialog), this);
    }

    private void byeAnswered(SipResponse response, long now) {
        if (response.isProvisional()) {
            return;
        }
        if (state != State.ENDING) {
            engine.stats().receivedAgain();
            return;
        }
        engine.stats().answerTaken(fate.counted, now - requestNanos);
        engine.stats().inDialog(now - requestNanos);
        if (response.isSuccess()) {
            engine.stats().completed(fate.counted);
            engine.stats().outcomes().completed(fate.prompt);
            done(T4, now);
        } else {
            fail("BYE " + FailureCauses.status(response.status()), T4, now);
        }
    }

    private void cancel(long now) {
        state = State.CANCELLING;
        engine.send(engine.places().callerToServer(), engine.callerTexts().cancel(this), null);
        // RFC 3261 9.1: without a final answer for 64*T1 after the CANCEL, the client "SHOULD then
        // consider the original transaction cancelled".
        engine.schedule(this, now + TIMEOUT);
    }

    @Override
    void request(SipRequest request, Hop from, long now) {
        boolean bye = request.method().equals("BYE");
        if (request.method().equals("ACK")) {
            engine.stats().unexpected();
            return;
        }
        if (bye) {
            engine.answer(from, request, 200, "OK");
        } else {
            engine.answer(from, request, 501, "Not Implemented");
        }
        if (bye && state == State.DONE) {
            engine.stats().receivedAgain();
            return;
        }
        engine.stats().unexpected();
        if (bye && (state == State.TALKING || state == State.ENDING)) {
            fail(FailureCauses.UNEXPECTED, T4, now);
        }
    }

    @Override
    void sendFailed(long now) {
        if (state != State.DONE) {
            fail(FailureCauses.TRANSPORT, 0, now);
        }
    }

    @Override
    boolean stop(long at) {
        // RFC 3261 9.1: "If no provisional response has been received, the CANCEL request MUST NOT
        // be sent; rather, the client MUST wait".
        boolean up = state == State.TALKING || state == State.PROCEEDING;
        if (up) {
            engine.schedule(this, at);
        }
        return up;
    }

    private void fail(String cause, long lingerNanos, long now) {
        engine.stats().failed(fate.counted, cause);
        engine.stats().outcomes().failed(fate.accepted);
        done(lingerNanos, now);
    }

    private void done(long lingerNanos, long now) {
        state = State.DONE;
        engine.schedule(this, now + lingerNanos);
    }
}
