package io.carillon.lab.load;

import io.carillon.sip.bytes.ByteWriter;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import org.jspecify.annotations.Nullable;

/**
 * The callee's side of one call: 180, ring, 200 until its ACK comes (RFC 3261 13.3.1.4), 200 to the
 * BYE. As the phone of a visit it may hang up itself. Owner: the engine's thread.
 */
final class CalleeLeg extends Leg {
    private enum State {
        RINGING,
        /** The 200 is out, no ACK came. */
        ANSWERED,
        /** The 487 is out, no ACK came. */
        REFUSED,
        TALKING,
        /** Our BYE is out. */
        ENDING,
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
    private @Nullable VisitLeg visit;
    private @Nullable UasDialog dialog;

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
     * @param visit what the call belongs to; null for a call of its own
     */
    void invited(SipRequest invite, long key, @Nullable VisitLeg visit, Hop from, long now) {
        this.key = key;
        this.visit = visit;
        peer = from;
        ByteWriter scratch = engine.scratch().clear();
        engine.calleeTexts().copied(scratch, invite, this);
        copiedLength = scratch.length();
        if (copied.length < copiedLength) {
            copied = new byte[Math.max(640, copiedLength)];
        }
        System.arraycopy(scratch.array(), 0, copied, 0, copiedLength);
        if (visit != null) {
            dialog = new UasDialog(engine);
            dialog.begin(invite);
        }
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
        sent(now);
        sendOk();
    }

    private void sent(long now) {
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

    private void sendBye() {
        UasDialog own = dialog;
        if (own != null) {
            own.send(this, "BYE", CallerTexts.BYE, "");
        }
    }

    /** The phone hangs up. */
    void hangUp(long now) {
        UasDialog own = dialog;
        if (own != null && (state == State.TALKING || state == State.ANSWERED)) {
            state = State.ENDING;
            own.next();
            sent(now);
            sendBye();
        }
    }

    /** The visit has failed: what is up is ended, and nobody is told. */
    void abandon(long now) {
        visit = null;
        hangUp(now);
    }

    @Override
    protected void fire(long now) {
        switch (state) {
            case RINGING -> answer(now);
            case ANSWERED, REFUSED, ENDING -> again(now);
            case TALKING -> fail(FailureCauses.NO_BYE, now);
            case DONE -> engine.calleeGone(this, key);
        }
    }

    // RFC 3261 13.3.1.4: "the 2xx response is passed to the transport with an interval that starts
    // at T1 seconds and doubles for each retransmission until it reaches T2 seconds", over any
    // transport. 17.2.1, timer G, and 17.1.2.2, timer E: over unreliable ones only.
    private void again(long now) {
        if (now >= deadlineNanos) {
            fail(state == State.ENDING ? FailureCauses.NO_BYE_ANSWER : FailureCauses.NO_ACK, now);
            return;
        }
        intervalNanos = Math.min(2 * intervalNanos, T2);
        engine.schedule(this, Math.min(now + intervalNanos, deadlineNanos));
        if (state != State.ANSWERED && engine.reliable()) {
            return;
        }
        engine.stats().sentAgain();
        switch (state) {
            case ANSWERED -> sendOk();
            case REFUSED -> sendRefusal();
            default -> sendBye();
        }
    }

    /** The INVITE of this leg came again. */
    void invitedAgain() {
        engine.stats().receivedAgain();
        if (state != State.RINGING && state != State.ANSWERED && state != State.REFUSED) {
            return;
        }
        engine.stats().sentAgain();
        switch (state) {
            case RINGING -> sendRinging();
            case ANSWERED -> sendOk();
            default -> sendRefusal();
        }
    }

    /** A CANCEL of the INVITE came: RFC 3261 9.2. */
    void cancelled(SipRequest cancel, Hop from, long now) {
        engine.answer(from, cancel, 200, "OK");
        if (state == State.RINGING) {
            state = State.REFUSED;
            sent(now);
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
                if (visit != null) {
                    visit.confirmed(now);
                }
            }
            case REFUSED -> done(now);
            case TALKING, ENDING, DONE -> engine.stats().receivedAgain();
            case RINGING -> engine.stats().unexpected();
        }
    }

    private void bye(SipRequest request, Hop from, long now) {
        engine.answer(from, request, 200, "OK");
        switch (state) {
            // An ACK that the BYE has overtaken is not waited for: RFC 3261 15.1.2 ends the
            // session.
            case ANSWERED, TALKING, ENDING -> done(now);
            case DONE -> {
                engine.stats().receivedAgain();
                engine.stats().sentAgain();
            }
            case RINGING, REFUSED -> engine.stats().unexpected();
        }
    }

    @Override
    void response(SipResponse response, char kind, Hop from, long now) {
        if (response.isProvisional()) {
            return;
        }
        if (state == State.ENDING) {
            done(now);
        } else {
            engine.stats().receivedAgain();
        }
    }

    @Override
    void sendFailed(long now) {
        if (state == State.ENDING) {
            fail(FailureCauses.TRANSPORT, now);
        }
    }

    @Override
    boolean stop(long at) {
        return false; // the caller's side, or the visit, ends the call
    }

    private void fail(String cause, long now) {
        VisitLeg owner = visit;
        if (owner == null) {
            engine.stats().failedBeside(engine.stats().isWarm(), cause);
        } else {
            visit = null;
            owner.failed(cause, now);
        }
        done(now);
    }

    private void done(long now) {
        state = State.DONE;
        engine.schedule(this, now + T4);
        VisitLeg owner = visit;
        visit = null;
        dialog = null;
        if (owner != null) {
            owner.ended(now);
        }
    }
}
