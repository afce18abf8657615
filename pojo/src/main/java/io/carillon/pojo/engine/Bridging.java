package io.carillon.pojo.engine;

import io.carillon.pojo.Roles;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.servlet.ServletException;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.Rel100Exception;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.TooManyHopsException;
import javax.servlet.sip.UAMode;
import javax.servlet.sip.URI;
import org.jspecify.annotations.Nullable;

/**
 * A call of two dialogs (RFC 7092, signaling-only B2BUA): what happens on one leg happens on the
 * other. ACK goes through end to end, so an offer in a 200 finds its answer; each leg acknowledges
 * its own reliable 1xx. Stateless: that a session is bridged is an attribute of it.
 */
final class Bridging {
    /** Of a SIP session: true when its call was bridged by a plan. */
    private static final String BRIDGED = "io.carillon.pojo.bridged";

    /** Header fields of a response that belong to the leg, or that the container writes. */
    private static final Set<String> OF_THE_LEG =
            Set.of(
                    "via",
                    "v",
                    "from",
                    "f",
                    "to",
                    "t",
                    "call-id",
                    "i",
                    "cseq",
                    "contact",
                    "m",
                    "record-route",
                    "route",
                    "rack",
                    "content-length",
                    "l",
                    "content-type",
                    "c",
                    "require",
                    "rseq",
                    "supported",
                    "k",
                    "session-expires",
                    "x",
                    "allow",
                    "server",
                    "date",
                    "timestamp",
                    "path",
                    "service-route");

    void begin(SipServletRequest request, URI target, Map<String, String> headers)
            throws ServletException, IOException {
        B2buaHelper helper = request.getB2buaHelper();
        SipServletRequest leg;
        try {
            leg = helper.createRequest(request, true, null);
        } catch (TooManyHopsException e) {
            return; // the container has answered 483 (SIP Servlet 1.1 section 12)
        }
        leg.setRequestURI(target);
        for (Map.Entry<String, String> header : headers.entrySet()) {
            leg.setHeader(header.getKey(), header.getValue());
        }
        request.getSession().setAttribute(BRIDGED, true);
        leg.getSession().setAttribute(BRIDGED, true);
        String role = Roles.of(request.getSession());
        if (role != null) {
            Roles.give(leg.getSession(), role);
        }
        leg.send();
    }

    private static boolean isBridged(@Nullable SipSession session) {
        return session != null && session.isValid() && session.getAttribute(BRIDGED) != null;
    }

    /** False when its call is not bridged, and nothing was done. */
    boolean relay(SipServletRequest request) throws IOException {
        if (!isBridged(request.getSession(false))) {
            return false;
        }
        switch (request.getMethod()) {
            case "ACK" -> acknowledge(request);
            case "CANCEL" -> cancel(request);
            case "PRACK" -> request.createResponse(SipServletResponse.SC_OK).send();
            default -> onward(request);
        }
        return true;
    }

    private static void onward(SipServletRequest request) throws IOException {
        SipSession other = linked(request);
        if (other == null) {
            boolean bye = request.getMethod().equals("BYE");
            request.createResponse(bye ? SipServletResponse.SC_OK : 481).send();
        } else {
            request.getB2buaHelper().createRequest(other, request, null).send();
        }
    }

    private static @Nullable SipSession linked(SipServletRequest request) {
        SipSession other = request.getB2buaHelper().getLinkedSession(request.getSession());
        boolean alive =
                other != null && other.isValid() && other.getState() != SipSession.State.TERMINATED;
        return alive ? other : null;
    }

    /** The ACK of one leg confirms the 2xx that the other leg waits with (RFC 3261 13.2.2.4). */
    private static void acknowledge(SipServletRequest ack) throws IOException {
        SipSession other = linked(ack);
        if (other == null) {
            return;
        }
        List<SipServletMessage> pending =
                ack.getB2buaHelper().getPendingMessages(other, UAMode.UAC);
        for (SipServletMessage message : pending) {
            if (message instanceof SipServletResponse response && isInviteSuccess(response)) {
                SipServletRequest onward = response.createAck();
                copyContent(ack, onward);
                onward.send();
            }
        }
    }

    private static void cancel(SipServletRequest cancel) throws IOException {
        SipSession other = linked(cancel);
        if (other != null && other.getState() != SipSession.State.CONFIRMED) {
            cancel.getB2buaHelper().createCancel(other).send();
        }
    }

    /** False when its call is not bridged, and nothing was done. */
    boolean relay(SipServletResponse response) throws IOException {
        if (!isBridged(response.getSession(false))) {
            return false;
        }
        SipServletRequest answered = response.getRequest();
        if (response.getStatus() < 200 && response.getHeader("RSeq") != null) {
            acknowledgeProvisional(response);
        }
        if (answered == null || response.getMethod().equals("PRACK")) {
            return true;
        }
        SipServletRequest original = answered.getB2buaHelper().getLinkedSipServletRequest(answered);
        if (original != null && !original.isCommitted()) {
            SipServletResponse back =
                    original.createResponse(response.getStatus(), response.getReasonPhrase());
            copyHeaders(response, back);
            copyContent(response, back);
            back.send();
        } else if (isInviteSuccess(response)) {
            release(response, original);
        }
        return true;
    }

    private static void acknowledgeProvisional(SipServletResponse response) throws IOException {
        try {
            response.createPrack().send();
        } catch (Rel100Exception e) {
            throw new IOException("no PRACK can be made for " + response.getStatus(), e);
        }
    }

    /**
     * A 2xx whose caller is gone, or was given to another branch: confirmed and ended. The call
     * goes on where a change of it was taken back.
     */
    private static void release(SipServletResponse response, @Nullable SipServletRequest original)
            throws IOException {
        response.createAck().send();
        boolean goesOn =
                original != null
                        && !original.isInitial()
                        && linked(original) == response.getSession();
        if (!goesOn) {
            response.getSession().createRequest("BYE").send();
        }
    }

    private static boolean isInviteSuccess(SipServletResponse response) {
        return response.getMethod().equals("INVITE") && response.getStatus() / 100 == 2;
    }

    private static void copyHeaders(SipServletResponse from, SipServletResponse to) {
        Iterator<String> names = from.getHeaderNames();
        while (names.hasNext()) {
            String name = names.next();
            String lower = name.toLowerCase(Locale.ROOT);
            boolean redirection = lower.equals("contact") && from.getStatus() / 100 == 3;
            if (redirection || !OF_THE_LEG.contains(lower)) {
                ListIterator<String> values = from.getHeaders(name);
                while (values.hasNext()) {
                    to.addHeader(name, values.next());
                }
            }
        }
    }

    private static void copyContent(SipServletMessage from, SipServletMessage to)
            throws IOException {
        if (from.getContentLength() > 0) {
            to.setContent(from.getRawContent(), from.getContentType());
        }
    }
}
