package io.carillon.sip.transaction;

import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import org.jspecify.annotations.Nullable;

/**
 * The non-INVITE client transaction: RFC 3261 section 17.1.2.
 *
 * <p>Owner: the shard's thread.
 */
public abstract class NonInviteClientTransaction extends Transaction {
    /** RFC 3261, figure 6. */
    public enum State {
        TRYING,
        PROCEEDING,
        COMPLETED,
        TERMINATED
    }

    private @Nullable State state;

    protected NonInviteClientTransaction(boolean reliable) {
        super(reliable);
    }

    // Outputs.

    /** A response for the layer above: provisionals and one final. */
    protected abstract void response(SipResponse response);

    /** Timer F fired. */
    protected abstract void timedOut();

    /** The transport failed (RFC 3261 section 17.1.4). */
    protected abstract void transportFailed();

    /** A repeated or late response was absorbed. */
    protected abstract void repetitionSeen();

    // Inputs.

    /** Enters Trying and sends the request. */
    public final void start(SipRequest request, long nowNanos) {
        transition(State.TRYING, nowNanos, Reason.STARTED);
        sendFirst(request);
    }

    /** A response that matches this transaction (RFC 3261 section 17.1.3). */
    public final void receive(SipResponse response, long nowNanos) {
        if (response.status() < 200) {
            provisional(response, nowNanos);
        } else {
            finalResponse(response, nowNanos);
        }
    }

    private void provisional(SipResponse response, long nowNanos) {
        switch (state()) {
            // 17.1.2.2: "If a provisional response is received while in the "Trying" state, the
            // response MUST be passed to the TU, and then the client transaction SHOULD move to the
            // "Proceeding" state."
            case TRYING -> {
                transition(State.PROCEEDING, nowNanos, Reason.PROVISIONAL);
                response(response);
            }
            case PROCEEDING -> response(response);
            case COMPLETED, TERMINATED -> repetitionSeen();
        }
    }

    private void finalResponse(SipResponse response, long nowNanos) {
        switch (state()) {
            // "If a final response (status codes 200-699) is received while in the "Trying" state,
            // the response MUST be passed to the TU, and the client transaction MUST transition to
            // the "Completed" state."
            case TRYING, PROCEEDING -> {
                transition(State.COMPLETED, nowNanos, Reason.FINAL);
                response(response);
                settle();
                // Timer K: "zero seconds for reliable transports".
                if (reliable() && state == State.COMPLETED) {
                    transition(State.TERMINATED, nowNanos, Reason.TIMER_K);
                }
            }
            // "The "Completed" state exists to buffer any additional response retransmissions that
            // may be received".
            case COMPLETED, TERMINATED -> repetitionSeen();
        }
    }

    @Override
    public final void transportError(long nowNanos) {
        switch (state()) {
            case TRYING, PROCEEDING -> {
                transition(State.TERMINATED, nowNanos, Reason.TRANSPORT_ERROR);
                transportFailed();
            }
            case COMPLETED, TERMINATED -> {}
        }
    }

    /** Sends the request once more, apart from Timer E, while it waits for its final response. */
    public final void again() {
        if (!reliable() && (state() == State.TRYING || state() == State.PROCEEDING)) {
            sendAgain();
        }
    }

    @Override
    final void retransmit(long nowNanos) {
        if (reliable()) {
            return;
        }
        switch (state()) {
            // "If timer E fires while still in this state, the timer is reset, but this time with a
            // value of MIN(2*T1, T2)."
            case TRYING -> {
                retransmitEvery(nowNanos, Math.min(2 * intervalNanos(), timers().t2Nanos()));
                sendAgain();
            }
            // "If Timer E fires while in the "Proceeding" state, the request MUST be passed to the
            // transport layer for retransmission, and Timer E MUST be reset with a value of T2
            // seconds."
            case PROCEEDING -> {
                retransmitEvery(nowNanos, timers().t2Nanos());
                sendAgain();
            }
            case COMPLETED, TERMINATED -> {}
        }
    }

    @Override
    final void timeout(long nowNanos) {
        switch (state()) {
            // "If Timer F fires while the client transaction is still in the "Trying" state, the
            // client transaction SHOULD inform the TU about the timeout, and then it SHOULD enter
            // the "Terminated" state." The same in "Proceeding".
            case TRYING, PROCEEDING -> {
                transition(State.TERMINATED, nowNanos, Reason.TIMER_F);
                timedOut();
            }
            case COMPLETED -> transition(State.TERMINATED, nowNanos, Reason.TIMER_K);
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
                // "The client transaction MUST set timer F to fire in 64*T1 seconds. [...] If an
                // unreliable transport is in use, the client transaction MUST set timer E to fire
                // in T1 seconds."
                startTimers(
                        nowNanos,
                        reliable() ? -1 : timers().t1Nanos(),
                        nowNanos + timers().timeoutNanos());
            }
            case PROCEEDING -> {}
            case COMPLETED -> {
                // "it MUST set Timer K to fire in T4 seconds for unreliable transports".
                remember(null);
                onlyTimeoutAt(nowNanos + timers().t4Nanos());
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
