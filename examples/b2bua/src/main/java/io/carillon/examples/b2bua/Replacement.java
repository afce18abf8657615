package io.carillon.examples.b2bua;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.servlet.ServletContext;
import javax.servlet.sip.Address;
import javax.servlet.sip.Parameterable;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipSessionsUtil;
import javax.servlet.sip.SipURI;

/**
 * A call that takes the place of another one (RFC 3891), as at the end of a transfer with
 * consultation: it names a dialog of ours, of which the callee knows the other leg only.
 *
 * <p>The tags of a dialog are all that its ends prove themselves by. So a leg is named to its own
 * phone and to nobody else, whatever the Request-URI says; and that of a caller only where he has
 * proved who he is, for he may have written another's address into his INVITE.
 */
final class Replacement {
    private static final String REPLACES = "Replaces";

    /** Of a session: its phone may be told its dialog. */
    private static final String NAMEABLE = "nameable";

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
        return stands ? other : null;
    }

    static void mayBeNamed(SipSession leg) {
        leg.setAttribute(NAMEABLE, true);
    }

    static boolean isNameable(SipSession leg) {
        return leg.getAttribute(NAMEABLE) != null;
    }

    /** Sends the request where one in the dialog of that leg would go. */
    static void lead(SipServletRequest request, SipSession leg) {
        SipServletRequest inDialog = leg.createRequest("INFO"); // not sent
        request.setRequestURI(inDialog.getRequestURI());
        try {
            List<SipURI> routes = new ArrayList<>();
            inDialog.getAddressHeaders("Route")
                    .forEachRemaining(route -> routes.add((SipURI) route.getURI()));
            Collections.reverse(routes);
            routes.forEach(request::pushRoute);
        } catch (ServletParseException e) {
            throw new IllegalStateException("the container has written it", e);
        }
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
