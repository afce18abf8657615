package io.carillon.sip.transaction;

import io.carillon.sip.message.SipResponse;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The INVITE server transaction: RFC 3261 section 17.2.1 with the Accepted state and Timer L of RFC
 * 6026 section 7.1.
 *
 * <p>Owner: the shard's thread.
 */
public abstract class InviteServerTransaction extends ServerMachine {
    /** RFC 6026, figure 7. */
    public enum State {
        PROCEEDING,
        COMPLETED,
        CONFIRMED,
        ACCEPTED,
        TERMINATED
    }

    private @Nullable State state;

    protected InviteServerTransaction(boolean reliable) {
        super(reliable);
    }

    // Outputs.

    /** Timer H: no ACK came for the final response. */
    protected abstract void timedOut();

    /**
     * The 100 is due.
     *
     * @return true when the layer above has answered in place of it
     */
    protected boolean answeredInPlaceOfTrying() {
        return false;
    }

    /** The 100 is held back until then, in nanoseconds of the shard's clock; 0: it is not. */
    protected long tryingHeldUntilNanos() {
        return 0;
    }

    @Override
    final boolean isUnderWay() {
        return super.isUnderWay() && !(last() instanceof SipResponse sent && sent.status() > 100);
    }

    // Inputs.

    @Override
    public final void start(long nowNanos) {
        transition(State.PROCEEDING, nowNanos, Reason.STARTED);
    }

    @Override
    public final void respond(SipResponse response, long nowNanos) {
        int status = response.status();
        if (status < 200) {
            provisional(response);
        } else if (status < 300) {
            success(response, nowNanos);
        } else {
            failure(response, nowNanos);
        }
    }

    private void provisional(SipResponse response) {
        switch (state()) {
            // 17.2.1: "If the TU passes any number of provisional responses to the server
            // transaction, they MUST be passed to the transport layer for transmission while in the
            // "Proceeding" state."
            case PROCEEDING -> {
                stopTimers();
                sendFirst(response);
            }
            case COMPLETED, CONFIRMED, ACCEPTED, TERMINATED -> responseDropped(response);
        }
    }

    private void success(SipResponse response, long nowNanos) {
        switch (state()) {
            // RFC 6026 7.1: "If the SIP element's TU issues a 2xx response for this transaction
            // while the state machine is in the "Proceeding" state, the state machine MUST
            // transition to the "Accepted" state and set Timer L to 64*T1".
            case PROCEEDING -> {
                output(response, false);
                transition(State.ACCEPTED, nowNanos, Reason.FINAL_2XX);
                settle();
            }
            // "Any retransmission of the 2xx response passed from the TU to the transaction while
            // in the "Accepted" state MUST be passed to the transport layer for transmission."
            case ACCEPTED -> output(response, true);
            case COMPLETED, CONFIRMED, TERMINATED -> responseDropped(response);
        }
    }

    private void failure(SipResponse response, long nowNanos) {
        switch (state()) {
            // 17.2.1: "if the TU passes a response with status code from 300 to 699 [...] the
            // response MUST be passed to the transport layer for transmission, and the state
            // machine MUST enter the "Completed" state."
            case PROCEEDING -> {
                Reason reason = leavesOnce(response) ? Reason.CHALLENGE : Reason.FINAL_NON_2XX;
                sendFirst(response);
                transition(State.COMPLETED, nowNanos, reason);
                settle();
            }
            case COMPLETED, CONFIRMED, ACCEPTED, TERMINATED -> responseDropped(response);
        }
    }

    /**
     * RFC 3261 26.3.2.4: "UAs and proxy servers SHOULD challenge questionable requests with only a
     * single 401 (Unauthorized) or 407 (Proxy Authentication Required), forgoing the normal
     * response retransmission algorithm". Who heard nothing before sends his INVITE again, which
     * brings another one. So it is with every refusal of somebody who has not shown that he is
     * where his datagram says: eleven responses for a forged one would go to whom it names (26.1.5:
     * "amplification").
     */
    private boolean leavesOnce(SipResponse response) {
        return last() == null
                && (response.status() == 401 || response.status() == 407 || !peerKnown());
    }

    /** Is it known that the peer gets what is sent to it? Asked where a datagram came from it. */
    protected boolean peerKnown() {
        return true;
    }

    @Override
    public final void retransmission(long nowNanos) {
        repetitionSeen();
        switch (state()) {
            // "If a request retransmission is received while in the "Proceeding" state, the most
            // recent provisional response that was received from the TU MUST be passed to the
            // transport layer for retransmission." In "Completed": "the server SHOULD pass the
            // response to the transport for retransmission."
            case PROCEEDING, COMPLETED -> answerRepetition();
            // RFC 6026 7.1: "any retransmissions of the INVITE received will match this transaction
            // state machine and will be absorbed".
            case CONFIRMED, ACCEPTED, TERMINATED -> {}
        }
    }

    /**
     * An ACK that matches this transaction.
     *
     * @return true when it is for the layer above
     */
    public final boolean receiveAck(long nowNanos) {
        switch (state()) {
            // 17.2.1: "If an ACK is received while the server transaction is in the "Completed"
            // state, the server transaction MUST transition to the "Confirmed" state."
            case COMPLETED -> {
                transition(State.CONFIRMED, nowNanos, Reason.ACK);
                // Timer I: "zero seconds for reliable transports".
                if (comesOnce()) {
                    transition(State.TERMINATED, nowNanos, Reason.TIMER_I);
                }
            }
            // "The purpose of the "Confirmed" state is to absorb any additional ACK messages that
            // arrive".
            case CONFIRMED -> repetitionSeen();
            // RFC 6026 7.1: "Any ACKs received from the network while in the "Accepted" state MUST
            // be passed directly to the TU and not absorbed."
            case ACCEPTED -> {
                return true;
            }
            // An ACK for nothing that was sent.
            case PROCEEDING, TERMINATED -> repetitionSeen();
        }
        return false;
    }

    /**
     * RFC 3261 section 17.2.3, for peers of RFC 2543: "the To tag of the ACK matches the To tag of
     * the response sent by the server transaction". True as well when that response is not kept any
     * longer.
     */
    public final boolean answeredWithTag(@Nullable String toTag) {
        return !(last() instanceof SipResponse response) || Objects.equals(response.toTag(), toTag);
    }

    @Override
    public final void transportError(long nowNanos) {
        // RFC 6026 7.1: "A server transaction MUST NOT discard transaction state based only on
        // encountering a non-recoverable transport error when sending a response. Instead, [it]
        // MUST remain in its current state."
        if (state() != State.TERMINATED) {
            transportFailed();
        }
    }

    @Override
    final void retransmit(long nowNanos) {
        // Timer G: "set to fire in MIN(2*T1, T2) seconds. [...] reset with a value that doubles,
        // unless that value exceeds T2".
        if (state == State.COMPLETED && !reliable()) {
            retransmitEvery(nowNanos, Math.min(2 * intervalNanos(), timers().t2Nanos()));
            sendAgain();
        }
    }

    @Override
    final void timeout(long nowNanos) {
        switch (state()) {
            // "The server transaction MUST generate a 100 (Trying) response unless it knows that
            // the TU will generate a provisional or final response within 200 ms".
            case PROCEEDING -> {
                long held = tryingHeldUntilNanos();
                if (last() == null && held - nowNanos > 0 && held != 0) {
                    onlyTimeoutAt(Math.min(held, nowNanos + timers().tryingNanos()));
                } else if (last() == null && !answeredInPlaceOfTrying()) {
                    sendFirst(trying());
                }
            }
            // "If timer H fires while in the "Completed" state, it implies that the ACK was never
            // received. In this case, the server transaction MUST transition to the "Terminated"
            // state, and MUST indicate to the TU that a transaction failure has occurred."
            case COMPLETED -> {
                transition(State.TERMINATED, nowNanos, Reason.TIMER_H);
                timedOut();
            }
            case CONFIRMED -> transition(State.TERMINATED, nowNanos, Reason.TIMER_I);
            case ACCEPTED -> transition(State.TERMINATED, nowNanos, Reason.TIMER_L);
            case TERMINATED -> {}
        }
    }

    private void transition(State to, long nowNanos, Reason reason) {
        State from = state;
        if (!legal(from, to)) {
            throw new IllegalStateException(from + " -> " + to + " by " + reason);
        }
        state = to;
        switch (to) {
            case PROCEEDING -> {
                if (timers().tryingNanos() == 0) {
                    sendFirst(trying());
                } else {
                    onlyTimeoutAt(nowNanos + timers().tryingNanos());
                }
            }
            case COMPLETED -> {
                // "For unreliable transports, timer G is set to fire in T1 seconds [...] When the
                // "Completed" state is entered, timer H MUST be set to fire in 64*T1 seconds for
                // all transports."
                startTimers(
                        nowNanos,
                        reliable() || reason == Reason.CHALLENGE ? -1 : timers().t1Nanos(),
                        nowNanos + timers().timeoutNanos());
            }
            case CONFIRMED -> {
                remember(null);
                onlyTimeoutAt(nowNanos + timers().t4Nanos());
            }
            case ACCEPTED -> {
                remember(null);
                onlyTimeoutAt(nowNanos + timers().timeoutNanos());
            }
            case TERMINATED -> end(reason);
        }
        changed(from == null ? to : from, to, nowNanos, reason);
    }

    private static boolean legal(@Nullable State from, State to) {
        return switch (to) {
            case PROCEEDING -> from == null;
            case COMPLETED, ACCEPTED -> from == State.PROCEEDING;
            case CONFIRMED -> from == State.COMPLETED;
            case TERMINATED -> from != State.TERMINATED;
        };
    }

    /** The state; Proceeding before {@link #start}. */
    public final State state() {
        State s = state;
        return s == null ? State.PROCEEDING : s;
    }

    @Override
    public final boolean invite() {
        return true;
    }

    @Override
    public final boolean lingers() {
        return state == State.COMPLETED || state == State.CONFIRMED || state == State.ACCEPTED;
    }

    @Override
    public final boolean terminated() {
        return state == State.TERMINATED;
    }

    @Override
    public final String stateName() {
        return state().name();
    }

    @Override
    public final void discard(long nowNanos) {
        if (state != State.TERMINATED) {
            transition(State.TERMINATED, nowNanos, Reason.DISCARDED);
        }
    }
}
