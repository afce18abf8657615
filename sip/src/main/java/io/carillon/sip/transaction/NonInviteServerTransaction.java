package io.carillon.sip.transaction;

import io.carillon.sip.message.SipResponse;
import org.jspecify.annotations.Nullable;

/**
 * The non-INVITE server transaction: RFC 3261 section 17.2.2 with the rules of RFC 4320 about
 * provisionals, 408 and late responses.
 *
 * <p>Owner: the shard's thread.
 */
public abstract class NonInviteServerTransaction extends ServerMachine {
    /** RFC 3261, figure 8. */
    public enum State {
        TRYING,
        PROCEEDING,
        COMPLETED,
        TERMINATED
    }

    private @Nullable State state;

    protected NonInviteServerTransaction(boolean reliable) {
        super(reliable);
    }

    // Outputs.

    /** No final response was given in 64*T1 (RFC 4320 section 4.2): it is too late for any. */
    protected abstract void expired();

    // Inputs.

    @Override
    public final void start(long nowNanos) {
        transition(State.TRYING, nowNanos, Reason.STARTED);
    }

    @Override
    public final void respond(SipResponse response, long nowNanos) {
        if (response.status() < 200) {
            provisional(response, nowNanos);
        } else {
            finalResponse(response, nowNanos);
        }
    }

    private void provisional(SipResponse response, long nowNanos) {
        // RFC 4320 4.1: "An SIP element MUST NOT send any provisional response with a Status-Code
        // other than 100 to a non-INVITE request."
        if (response.status() != 100) {
            responseDropped(response);
            return;
        }
        switch (state()) {
            // "An SIP element MUST NOT respond to a non-INVITE request with a Status-Code of 100
            // over any unreliable transport, such as UDP, before the amount of time it takes a
            // client transaction's Timer E to be reset to T2." The timer sends it then.
            case TRYING -> {
                if (reliable()) {
                    sendFirst(response);
                    transition(State.PROCEEDING, nowNanos, Reason.PROVISIONAL);
                } else {
                    responseDropped(response);
                }
            }
            case PROCEEDING -> sendFirst(response);
            case COMPLETED, TERMINATED -> responseDropped(response);
        }
    }

    private void finalResponse(SipResponse response, long nowNanos) {
        // RFC 4320 4.2: "A transaction-stateful SIP element MUST NOT send a response with
        // Status-Code of 408 to a non-INVITE request."
        if (response.status() == 408) {
            responseDropped(response);
            return;
        }
        switch (state()) {
            // 17.2.2: "If the TU passes a final response (status codes 200-699) to the server [...]
            // the transaction MUST enter the "Completed" state, and the response MUST be passed to
            // the transport layer for transmission."
            case TRYING, PROCEEDING -> {
                sendFirst(response);
                transition(State.COMPLETED, nowNanos, Reason.FINAL);
                settle();
                // Timer J: "zero seconds for reliable transports".
                if (comesOnce()) {
                    transition(State.TERMINATED, nowNanos, Reason.TIMER_J);
                }
            }
            // "Any other final responses passed by the TU to the server transaction MUST be
            // discarded while in the "Completed" state." RFC 4320 4.2: after the end "MUST NOT send
            // any response to a non-INVITE request".
            case COMPLETED, TERMINATED -> responseDropped(response);
        }
    }

    @Override
    public final void retransmission(long nowNanos) {
        repetitionSeen();
        switch (state()) {
            // "Once in the "Trying" state, any further request retransmissions are discarded."
            case TRYING, TERMINATED -> {}
            // "If a retransmission of the request is received while in the "Proceeding" state, the
            // most recently sent provisional response MUST be passed to the transport layer for
            // retransmission." In "Completed": "MUST pass the final response".
            case PROCEEDING, COMPLETED -> answerRepetition();
        }
    }

    @Override
    public final void transportError(long nowNanos) {
        switch (state()) {
            case TRYING, TERMINATED -> {}
            // 17.2.4: "the server transaction SHOULD inform the TU that a failure has occurred, and
            // SHOULD transition to the terminated state." RFC 6026 changes this for INVITE only.
            case PROCEEDING, COMPLETED -> {
                transition(State.TERMINATED, nowNanos, Reason.TRANSPORT_ERROR);
                transportFailed();
            }
        }
    }

    @Override
    final void retransmit(long nowNanos) {
        // RFC 4320 4.1: "Without regard to transport, an SIP element MUST respond to a non-INVITE
        // request with a Status-Code of 100 if it has not otherwise responded after the amount of
        // time it takes a client transaction's Timer E to be reset to T2."
        if (state == State.TRYING) {
            sendFirst(trying());
            transition(State.PROCEEDING, nowNanos, Reason.PROVISIONAL);
        }
    }

    @Override
    final void timeout(long nowNanos) {
        switch (state()) {
            // RFC 4320 4.2: "an element that cannot respond before the transaction expires will not
            // send a final response at all."
            case TRYING, PROCEEDING -> {
                transition(State.TERMINATED, nowNanos, Reason.EXPIRED);
                expired();
            }
            case COMPLETED -> transition(State.TERMINATED, nowNanos, Reason.TIMER_J);
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
            case TRYING -> {
                startTimers(
                        nowNanos, timers().timerEToT2Nanos(), nowNanos + timers().timeoutNanos());
            }
            case PROCEEDING -> stopRetransmitting();
            case COMPLETED -> {
                // "When the server transaction enters the "Completed" state, it MUST set Timer J to
                // fire in 64*T1 seconds for unreliable transports".
                shrink();
                onlyTimeoutAt(nowNanos + timers().timeoutNanos());
            }
            case TERMINATED -> end(reason);
        }
        changed(from == null ? to : from, to, nowNanos, reason);
    }

    private static boolean legal(@Nullable State from, State to) {
        return switch (to) {
            case TRYING -> from == null;
            case PROCEEDING -> from == State.TRYING;
            case COMPLETED -> from == State.TRYING || from == State.PROCEEDING;
            case TERMINATED -> from != State.TERMINATED;
        };
    }

    /** The state; Trying before {@link #start}. */
    public final State state() {
        State s = state;
        return s == null ? State.TRYING : s;
    }

    @Override
    public final boolean invite() {
        return false;
    }

    @Override
    public final boolean lingers() {
        return state == State.COMPLETED;
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
