package io.carillon.servlet.kernel;

import io.carillon.sip.bytes.StateWriter;

/** The session timer (RFC 4028) of a session, as the session knows it. With the turn held. */
public interface RefreshTimer {
    /** The call is over. */
    void cancel();

    /** A session that came from bytes has it now. */
    void arm();

    /** When something is to be done, by the wall clock. */
    long dueAtMillis();

    /**
     * It goes on at another node. What was due meanwhile is not held against the peer, and what is
     * due now is spread out, as there may be as many as calls were taken over.
     */
    void adopted();

    /** For {@link SessionHooks#readRefresh}. */
    void write(StateWriter out);
}
