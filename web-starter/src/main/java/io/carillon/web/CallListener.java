package io.carillon.web;

import javax.servlet.sip.SipApplicationSession;

/**
 * Hears of calls: a bean of the application that adds to them. Called in the turn of the call; with
 * {@code carillon.non-blocking} that is mostly an event loop, which nothing must hold up.
 */
public interface CallListener {
    /** Both sides are connected. */
    default void connected(WebCall call, SipApplicationSession session) {}

    /** The call is over, for whatever reason. */
    default void ended(WebCall call, SipApplicationSession session) {}
}
