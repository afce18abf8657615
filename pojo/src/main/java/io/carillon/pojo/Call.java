package io.carillon.pojo;

import java.util.List;
import javax.servlet.sip.SipSession;

/**
 * The call that a message belongs to: the SIP sessions of both legs, or of all of them. A SIP
 * session that is created while a message of a call is handled belongs to that call; each other one
 * begins its own. A parameter of handlers; of the thread that handles.
 */
public interface Call {
    /** Stays the same as long as the call lives, and is no other call's. */
    String id();

    /** The sessions that are alive, in no order that matters. */
    List<SipSession> sessions();

    /**
     * Takes a session of the same application session into this call, where that was not clear by
     * itself.
     *
     * @throws IllegalArgumentException when it is of another application session
     */
    void join(SipSession session);
}
