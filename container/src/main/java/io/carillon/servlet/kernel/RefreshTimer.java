package io.carillon.servlet.kernel;

import io.carillon.sip.bytes.StateWriter;

/** The session timer (RFC 4028) of a session, as the session knows it. With the turn held. */
public interface RefreshTimer {
    /** The call is over. */
    void cancel();

    /** A session that came from bytes has it now. */
    void arm();

    /** For {@link SessionHooks#readRefresh}. */
    void write(StateWriter out);
}
