package io.carillon.examples.b2bua;

import javax.servlet.ServletContext;
import javax.servlet.sip.Address;
import javax.servlet.sip.Parameterable;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipSessionsUtil;

/**
 * A call that takes the place of another one (RFC 3891), as at the end of a transfer with
 * consultation: it names a dialog of ours, of which the callee knows the other leg only.
 */
final class Replacement {
    private static final String REPLACES = "Replaces";

    private final SipSessionsUtil sessions;

    Replacement(ServletContext context) {
        sessions = (SipSessionsUtil) context.getAttribute(SipServlet.SIP_SESSIONS_UTIL);
    }

    /** The leg that is to be replaced; null where the request replaces no call of ours. */
    SipSession of(SipServletRequest request) {
        SipSession named = sessions.getCorrespondingSipSession(request.getSession(), REPLACES);
        SipSession other = named == null ? null : request.getB2buaHelper().getLinkedSession(named);
        boolean stands =
                other != null && other.isValid() && other.getState() == SipSession.State.CONFIRMED;
        return stands && other.getRemoteParty().getURI().isSipURI() ? other : null;
    }

    /**
     * Names the dialog as the callee knows it: its own tag is the one that we see as the remote.
     */
    static void name(SipSession replaced, SipServletRequest leg) {
        Parameterable value;
        try {
            value = leg.getParameterableHeader(REPLACES);
        } catch (ServletParseException e) {
            throw new IllegalStateException("the container has read it before", e);
        }
        value.setValue(replaced.getCallId());
        value.setParameter("to-tag", tag(replaced.getRemoteParty()));
        value.setParameter("from-tag", tag(replaced.getLocalParty()));
        leg.setParameterableHeader(REPLACES, value);
    }

    private static String tag(Address party) {
        return party.getParameter("tag");
    }
}
