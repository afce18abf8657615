package io.carillon.examples.restcall;

import io.carillon.pojo.SipApplicationSessionScoped;

/**
 * How far a call is: one for each call, the same for REST requests and SIP messages. Both may use
 * it at once, so it is safe for threads. Changed in the call's turn.
 */
@SipApplicationSessionScoped
public class CallProgress {
    /** What a client sees. */
    public enum State {
        CALLING_FIRST,
        CALLING_SECOND,
        CONNECTED,
        ENDED,
        FAILED
    }

    private State state = State.CALLING_FIRST;
    private String reason = "";

    public synchronized State state() {
        return state;
    }

    public synchronized String reason() {
        return reason;
    }

    public synchronized boolean isOver() {
        return state == State.ENDED || state == State.FAILED;
    }

    /** Takes the next state; false when the call is over. */
    public synchronized boolean is(State next, String why) {
        if (isOver()) {
            return false;
        }
        state = next;
        reason = why;
        return true;
    }
}
