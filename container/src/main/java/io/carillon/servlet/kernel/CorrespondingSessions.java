package io.carillon.servlet.kernel;

import javax.servlet.sip.ar.SipTargetedRequestType;
import org.jspecify.annotations.Nullable;

/**
 * The two sessions that a Join or Replaces ties together (SIP Servlet 1.1, 15.11). Stateless; with
 * the turn of their application session held.
 */
public final class CorrespondingSessions {
    private CorrespondingSessions() {}

    /** The Join or Replaces of the request that began a session names another one. */
    public static void tie(ServletSession begun, SipTargetedRequestType by, ServletSession named) {
        SessionExtras rare = begun.extras();
        rare.correspondsBy = by;
        rare.corresponds = named.ordinal();
    }

    /** The other one of the two; null for a session that no such header ties. */
    static @Nullable ServletSession of(ServletSession session, SipTargetedRequestType by) {
        SessionExtras rare = session.extras;
        if (rare != null && rare.correspondsBy == by) {
            return session.parent().session(rare.corresponds);
        }
        for (ServletSession other : session.parent().sessions()) {
            SessionExtras its = other.extras;
            if (its != null && its.names(session.ordinal(), by)) {
                return other;
            }
        }
        return null;
    }
}
