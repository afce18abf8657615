package io.carillon.sip.transaction;

import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import org.jspecify.annotations.Nullable;

/**
 * The INVITE client transaction: RFC 3261 section 17.1.1 with the Accepted state and Timer M of RFC
 * 6026 section 8.4.
 *
 * <p>Owner: the shard's thread.
 */
public abstract class InviteClientTransaction extends Transaction {
    /** RFC 6026, figure 5. */
    public enum State {
        CALLING,
        PROCEEDING,
        COMPLETED,
        ACCEPTED,
        TERMINATED
    }

    /**
     * RFC 3261 13.3.1.4 and 17.2.1 (timer G): a final response to an INVITE is repeated at T1,
     * doubling to T2, for 64*T1: ten times. So often its ACK is sent again; whoever answers more
     * often wants something else.
     */
    public static final int MOST_ACKS_AGAIN = 10;

    private @Nullable State state;

    private byte acksAgain;
    private boolean cancelled;

    protected InviteClientTransaction(boolean reliable) {
        super(reliable);
    }

    // Outputs.

    /**
     * A response for the layer above: every 1xx before the final, the final, and each 2xx (RFC 6026
     * section 8.4).
     */
    protected abstract void response(SipResponse response);

    /**
     * A 2xx after a final response of another class: no transition knows it; the layer above may
     * still have to end that fork.
     */
    protected abstract void strayResponse(SipResponse response);

    /** Timer B fired, or no final response came in 64*T1 after a CANCEL. */
    protected abstract void timedOut();

    /** The transport failed (RFC 3261 section 17.1.4). */
    protected abstract void transportFailed();

    /**
     * How long the callee may ring on after its last provisional response, in nanoseconds; 0: for
     * as long as it likes, as somebody else sees to that.
     */
    protected abstract long ringingWithinNanos();

    /** It has rung for so long: the INVITE is to be cancelled. */
    protected abstract void rangTooLong(long nowNanos);

    /** A repeated response was absorbed. */
    protected abstract void repetitionSeen();

    /** A refusal came again, and its ACK was sent again as often as anybody may need it. */
    protected abstract void tooOften();

    /** The ACK for a final response that is not 2xx (RFC 3261 section 17.1.1.3). */
    protected abstract SipRequest acknowledgement(SipResponse finalResponse);

    @Override
    final boolean isUnderWay() {
        return super.isUnderWay() && state() == State.CALLING;
    }

    // Inputs.

    /** Enters Calling and sends the INVITE. */
    public final void start(SipRequest invite, long nowNanos) {
        transition(State.CALLING, nowNanos, Reason.STARTED);
        sendFirst(invite);
    }

    /** Goes on where another node has left it: the INVITE has arrived, and nothing is sent. */
    public final void resume(long nowNanos) {
        transition(State.CALLING, nowNanos, Reason.STARTED);
        transition(State.PROCEEDING, nowNanos, Reason.PROVISIONAL);
    }

    /**
     * Goes on where another node has left it, and nothing says that the INVITE has arrived, or has
     * left at all: it is repeated from T1 on, as the same transaction. What has just come for it is
     * looked at before. By an unreliable transport.
     */
    public final void resume(SipRequest invite, long nowNanos) {
        transition(State.CALLING, nowNanos, Reason.STARTED);
        remember(invite);
    }

    /** A response that matches this transaction (RFC 3261 section 17.1.3). */
    public final void receive(SipResponse response, long nowNanos) {
        int status = response.status();
        if (status < 200) {
            provisional(response, nowNanos);
        } else if (status < 300) {
            success(response, nowNanos);
        } else {
            failure(response, nowNanos);
        }
    }

    /**
     * RFC 3261 section 9.1: a CANCEL was sent; without a final response in 64*T1 the transaction is
     * given up.
     */
    public final void cancelSent(long nowNanos) {
        if (state == State.PROCEEDING) {
            cancelled = true;
            onlyTimeoutAt(nowNanos + timers().timeoutNanos());
        }
    }

    @Override
    public final void transportError(long nowNanos) {
        switch (state()) {
            // 17.1.4: "The client transaction SHOULD inform the TU that a transport failure has
            // occurred, and [...] transition directly to the "Terminated" state."
            case CALLING, COMPLETED -> {
                transition(State.TERMINATED, nowNanos, Reason.TRANSPORT_ERROR);
                transportFailed();
            }
            // Nothing is sent in these: the report is about an INVITE that arrived, as a response
            // shows.
            case PROCEEDING, ACCEPTED, TERMINATED -> {}
        }
    }

    private void provisional(SipResponse response, long nowNanos) {
        switch (state()) {
            // 17.1.1.2: "If the client transaction receives a provisional response while in the
            // "Calling" state, it transitions to the "Proceeding" state. [...] the provisional
            // response MUST be passed to the TU."
            case CALLING -> {
                transition(State.PROCEEDING, nowNanos, Reason.PROVISIONAL);
                response(response);
            }
            // "Any further provisional responses MUST be passed up to the TU while in the
            // "Proceeding" state."
            case PROCEEDING -> {
                if (!cancelled) {
                    ring(nowNanos);
                }
                response(response);
            }
            // A late 1xx, overtaken by the final response.
            case COMPLETED, ACCEPTED, TERMINATED -> repetitionSeen();
        }
    }

    private void success(SipResponse response, long nowNanos) {
        switch (state()) {
            // RFC 6026 8.4: "the client transaction MUST transition to the "Accepted" state, and
            // Timer M MUST be started [...] The 2xx response MUST be passed up to the TU."
            case CALLING, PROCEEDING -> {
                transition(State.ACCEPTED, nowNanos, Reason.FINAL_2XX);
                response(response);
                settle();
            }
            // "Any 2xx responses that match this client transaction and that are received while in
            // the "Accepted" state MUST be passed up to the TU."
            case ACCEPTED -> response(response);
            case COMPLETED, TERMINATED -> strayResponse(response);
        }
    }

    private void failure(SipResponse response, long nowNanos) {
        switch (state()) {
            // RFC 6026 8.4: "MUST cause the client transaction to transition to "Completed". The
            // client transaction MUST pass the received response up to the TU, and the client
            // transaction MUST generate an ACK request, even if the transport is reliable".
            case CALLING, PROCEEDING -> {
                SipRequest ack = acknowledgement(response);
                remember(ack);
                output(ack, false);
                transition(State.COMPLETED, nowNanos, Reason.FINAL_NON_2XX);
                response(response);
                settle();
                // Timer D: "a value of zero seconds for reliable transports".
                if (reliable() && state == State.COMPLETED) {
                    transition(State.TERMINATED, nowNanos, Reason.TIMER_D);
                }
            }
            // "Any retransmissions of a response with status code 300-699 [...] MUST cause the ACK
            // to be re-passed to the transport layer for retransmission, but the newly received
            // response MUST NOT be passed up to the TU."
            case COMPLETED -> {
                repetitionSeen();
                if (acksAgain < MOST_ACKS_AGAIN) {
                    acksAgain++;
                    sendAgain();
                } else {
                    tooOften();
                }
            }
            // Another fork's failure after a 2xx: a proxy downstream does not forward it; nothing
            // waits for it here.
            case ACCEPTED, TERMINATED -> repetitionSeen();
        }
    }

    @Override
    final void retransmit(long nowNanos) {
        // 17.1.1.2: "When timer A fires, the client transaction MUST retransmit the request [...]
        // and MUST reset the timer with a value of 2*T1. [...] intervals that double after each
        // transmission. These retransmissions SHOULD only be done while [...] "calling"".
        if (state == State.CALLING && !reliable()) {
            retransmitEvery(nowNanos, 2 * intervalNanos());
            sendAgain();
        }
    }

    @Override
    final void timeout(long nowNanos) {
        switch (state()) {
            // "If the client transaction is still in the "Calling" state when timer B fires, the
            // client transaction SHOULD inform the TU that a timeout has occurred. The client
            // transaction MUST NOT generate an ACK."
            case CALLING -> {
                transition(State.TERMINATED, nowNanos, Reason.TIMER_B);
                timedOut();
            }
            // 9.1: "If there is no final response for the original request in 64*T1 seconds [...]
            // the client SHOULD then consider the original transaction cancelled and SHOULD destroy
            // the client transaction".
            case PROCEEDING -> {
                if (cancelled) {
                    transition(State.TERMINATED, nowNanos, Reason.CANCEL_UNANSWERED);
                    timedOut();
                } else {
                    stopTimers();
                    rangTooLong(nowNanos);
                }
            }
            case COMPLETED -> transition(State.TERMINATED, nowNanos, Reason.TIMER_D);
            case ACCEPTED -> transition(State.TERMINATED, nowNanos, Reason.TIMER_M);
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
            case CALLING -> {
                // "For any transport, the client transaction MUST start timer B with a value of
                // 64*T1 seconds".
                // "If an unreliable transport is being used, the client transaction MUST start
                // timer A with a value of T1."
                startTimers(
                        nowNanos,
                        reliable() ? -1 : timers().t1Nanos(),
                        nowNanos + timers().timeoutNanos());
            }
            // The INVITE is kept no longer: "the client transaction SHOULD NOT retransmit the
            // request any longer".
            case PROCEEDING -> {
                ring(nowNanos);
                remember(null);
            }
            case COMPLETED -> {
                shrink();
                // Timer D: "at least 32 seconds for unreliable transports".
                onlyTimeoutAt(nowNanos + timers().timerDNanos());
            }
            case ACCEPTED -> {
                remember(null);
                onlyTimeoutAt(nowNanos + timers().timeoutNanos());
            }
            case TERMINATED -> end(reason);
        }
        changed(from == null ? to : from, to, nowNanos, reason);
    }

    /**
     * 13.3.1.1: who rings for long "MUST send a non-100 provisional response at every minute": so
     * whoever says nothing more for much longer has forgotten the call.
     */
    private void ring(long nowNanos) {
        long patience = ringingWithinNanos();
        if (patience > 0) {
            onlyTimeoutAt(nowNanos + patience);
        } else {
            stopTimers();
        }
    }

    private static boolean legal(@Nullable State from, State to) {
        return switch (to) {
            case CALLING -> from == null;
            case PROCEEDING -> from == State.CALLING;
            case COMPLETED, ACCEPTED -> from == State.CALLING || from == State.PROCEEDING;
            case TERMINATED -> from != State.TERMINATED;
        };
    }

    /** The state; Calling before {@link #start}. */
    public final State state() {
        State s = state;
        return s == null ? State.CALLING : s;
    }

    @Override
    public final boolean invite() {
        return true;
    }

    @Override
    public final boolean lingers() {
        return state == State.COMPLETED || state == State.ACCEPTED;
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
