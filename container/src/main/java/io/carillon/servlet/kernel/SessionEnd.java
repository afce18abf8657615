package io.carillon.servlet.kernel;

import javax.servlet.sip.SipSession.State;

/** How a session ends: when it is ready, when it is told to, and what goes with it. Stateless. */
final class SessionEnd {
    private SessionEnd() {}

    /** Is nothing under way in it, and nothing to come? With the turn held. */
    static boolean ready(ServletSession session) {
        return session.underWay().isEmpty() && session.dialog().over();
    }

    /**
     * First the listeners hear, then the session ends, unless one of them took the flag back. With
     * the turn held.
     */
    static void ifReady(ServletSession session) {
        if (!session.isValid() || !session.invalidateWhenReady || !ready(session)) {
            return;
        }
        session.host().events().readyToInvalidate(session);
        if (session.isValid() && session.invalidateWhenReady && ready(session)) {
            session.end();
        }
    }

    /**
     * May its application end it now? With the turn held.
     *
     * @throws IllegalStateException when a call or a transaction of it is under way
     */
    static void check(ServletSession session) {
        ForwardedDialog proxied = session.dialog().proxied();
        State state = session.dialog().state();
        boolean unsupervised = proxied != null && !proxied.supervised();
        boolean pending = !session.underWay().isEmpty();
        if (!unsupervised && (pending || state == State.EARLY || state == State.CONFIRMED)) {
            throw new IllegalStateException(
                    "the session is " + state + (pending ? " with a transaction pending" : ""));
        }
    }

    /** What it kept goes; nobody finds it any more. With the turn held. */
    static void letGo(ServletSession session) {
        DialogLife.forget(session);
        ServletSession other = session.linked();
        if (other != null) {
            other.link(null);
            session.link(null);
        }
        session.underWay().release();
        session.parent().remove(session);
        session.parent().expiry.lastCallId = session.getCallId();
        for (String name : session.attributes.names()) {
            Object value = session.attributes.remove(name);
            if (value != null) {
                session.host().events().unbound(session, name, value);
            }
        }
    }
}
