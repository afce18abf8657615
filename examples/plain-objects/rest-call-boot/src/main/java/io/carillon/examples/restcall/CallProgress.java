package io.carillon.examples.restcall;

import io.carillon.pojo.SipApplicationSessionScoped;

/**
 * How far a call is: one for each call, the same for REST requests and SIP messages. Both may use
 * it at once, so it is safe for threads.
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

    /** Takes the next state, unless the call is over. */
    public synchronized void is(State next, String why) {
        if (state != State.ENDED && state != State.FAILED) {
            state = next;
            reason = why;
        }
    }
}
