package io.carillon.lab.load;

import io.carillon.sip.bytes.ByteWriter;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.stack.Hop;

/**
 * The callee's side of one call: 180, ring, 200 until its ACK comes (RFC 3261 13.3.1.4), 200 to the
 * BYE. Owner: the engine's thread.
 */
final class CalleeLeg extends Leg {
    private enum State {
        RINGING,
        /** The 200 is out, no ACK came. */
        ANSWERED,
        /** The 487 is out, no ACK came. */
        REFUSED,
        TALKING,
        /** Over; waits for late messages. */
        DONE
    }

    /** How much longer than planned a call may be up until its BYE is missed. */
    private static final long PATIENCE_NANOS = 2 * TIMEOUT;

    private final LoadEngine engine;
    private State state = State.DONE;
    private byte[] copied = new byte[0];
    private int copiedLength;
    private long key;
    private long intervalNanos;
    private long deadlineNanos;
    private Hop peer;

    CalleeLeg(int index, LoadEngine engine) {
        super(index);
        this.engine = engine;
        this.peer = engine.places().calleeToServer();
    }

    @Override
    char side() {
        return 's';
    }

    /**
     * An INVITE came.
     *
     * @param key its place in the table
     */
    void invited(SipRequest invite, long key, Hop from, long now) {
        this.key = key;
        peer = from;
        ByteWriter scratch = engine.scratch().clear();
        engine.calleeTexts().copied(scratch, invite, this);
        copiedLength = scratch.length();
        if (copied.length < copiedLength) {
            copied = new byte[Math.max(640, copiedLength)];
        }
        System.arraycopy(scratch.array(), 0, copied, 0, copiedLength);
        state = State.RINGING;
        sendRinging();
        if (engine.plan().ringNanos() == 0) {
            answer(now);
        } else {
            engine.schedule(this, now + engine.plan().ringNanos());
        }
    }

    private void sendRinging() {
        engine.send(peer, engine.calleeTexts().ringing(copied, copiedLength), null);
    }

    private void answer(long now) {
        state = State.ANSWERED;
        finalSent(now);
        sendOk();
    }

    private void finalSent(long now) {
        intervalNanos = T1;
        deadlineNanos = now + TIMEOUT;
        engine.schedule(this, now + T1);
    }

    private void sendOk() {
        engine.send(peer, engine.calleeTexts().ok(copied, copiedLength), null);
    }

    private void sendRefusal() {
        engine.send(
                peer,
                engine.calleeTexts().refusal(487, "Request Terminated", copied, copiedLength),
                null);
    }

    @Override
    protected void fire(long now) {
        switch (state) {
            case RINGING -> answer(now);
            case ANSWERED, REFUSED -> again(now);
            case TALKING -> fail(Causes.NO_BYE, now);
            case DONE -> engine.calleeGone(this, key);
        }
    }

    // RFC 3261 13.3.1.4: "the 2xx response is passed to the transport with an interval that starts
    // at T1 seconds and doubles for each retransmission until it reaches T2 seconds", over any
    // transport. 17.2.1, timer G: refusals over unreliable ones only.
    private void again(long now) {
        if (now >= deadlineNanos) {
            fail(Causes.NO_ACK, now);
            return;
        }
        intervalNanos = Math.min(2 * intervalNanos, T2);
        engine.schedule(this, Math.min(now + intervalNanos, deadlineNanos));
        if (state == State.ANSWERED) {
            engine.stats().sentAgain();
            sendOk();
        } else if (!engine.reliable()) {
            engine.stats().sentAgain();
            sendRefusal();
        }
    }

    /** The INVITE of this leg came again. */
    void invitedAgain() {
        engine.stats().receivedAgain();
        switch (state) {
            case RINGING -> {
                engine.stats().sentAgain();
                sendRinging();
            }
            case ANSWERED -> {
                engine.stats().sentAgain();
                sendOk();
            }
            case REFUSED -> {
                engine.stats().sentAgain();
                sendRefusal();
            }
            default -> {}
        }
    }

    /** A CANCEL of the INVITE came: RFC 3261 9.2. */
    void cancelled(SipRequest cancel, Hop from, long now) {
        engine.answer(from, cancel, 200, "OK");
        if (state == State.RINGING) {
            state = State.REFUSED;
            finalSent(now);
            sendRefusal();
        }
    }

    @Override
    void request(SipRequest request, Hop from, long now) {
        switch (request.method()) {
            case "ACK" -> acknowledged(now);
            case "BYE" -> bye(request, from, now);
            default -> {
                engine.stats().unexpected();
                engine.answer(from, request, 501, "Not Implemented");
            }
        }
    }

    private void acknowledged(long now) {
        switch (state) {
            case ANSWERED -> {
                state = State.TALKING;
                engine.schedule(this, now + engine.plan().holdNanos() + PATIENCE_NANOS);
            }
            case REFUSED -> done(now);
            case TALKING, DONE -> engine.stats().receivedAgain();
            case RINGING -> engine.stats().unexpected();
        }
    }

    private void bye(SipRequest request, Hop from, long now) {
        engine.answer(from, request, 200, "OK");
        switch (state) {
            // An ACK that the BYE has overtaken is not waited for: RFC 3261 15.1.2 ends the
            // session.
            case ANSWERED, TALKING -> done(now);
            case DONE -> {
                engine.stats().receivedAgain();
                engine.stats().sentAgain();
            }
            case RINGING, REFUSED -> engine.stats().unexpected();
        }
    }

    @Override
    void response(SipResponse response, char kind, Hop from, long now) {
        engine.stats().unexpected();
    }

    @Override
    void sendFailed(long now) {
        // Answers are sent without a report: the caller misses them.
    }

    @Override
    boolean stop(long at) {
        return false; // the caller's side ends the call
    }

    private void fail(String cause, long now) {
        engine.stats().failedBeside(engine.stats().isWarm(), cause);
        done(now);
    }

    private void done(long now) {
        state = State.DONE;
        engine.schedule(this, now + T4);
    }
}
