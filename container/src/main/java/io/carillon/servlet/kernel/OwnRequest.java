package io.carillon.servlet.kernel;

import javax.servlet.sip.SipServletResponse;

/**
 * Whose request it is when no application sent it: told of its answers in the application's place.
 * With the turn held.
 */
public interface OwnRequest {
    /** A final answer came, and nothing has changed by it yet; also a time-out (408). */
    void answering(int status);

    /** The answer was processed. */
    void answered(SipServletResponse response);
}
