package io.carillon.examples.b2bua;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.UAMode;

/**
 * Basic B2BUA: each call becomes two dialogs, and what happens on one happens on the other.
 *
 * <p>A call goes to the {@code next-hop} of the context parameters, or else to its own Request-URI
 * when that is not this server. The ACK goes through end to end, so a late offer (SDP in the ACK)
 * works too.
 *
 * <p>Compiled against the SIP Servlet API alone; declared non-blocking in sip.xml.
 */
public class B2buaServlet extends SipServlet {
    private static final long serialVersionUID = 1L;

    private transient NextHop nextHop;

    @Override
    public void init() throws ServletException {
        nextHop = NextHop.of(getServletContext());
    }

    @Override
    protected void doRequest(SipServletRequest request) throws ServletException, IOException {
        String method = request.getMethod();
        if (method.equals("ACK")) {
            acknowledge(request);
        } else if (method.equals("CANCEL")) {
            cancel(request);
        } else if (method.equals("PRACK")) {
            // Reliable provisional responses are acknowledged hop by hop: see provisional().
            request.createResponse(SipServletResponse.SC_OK).send();
        } else if (request.isInitial()) {
            begin(request);
        } else {
            relay(request);
        }
    }

    private void begin(SipServletRequest request) throws IOException, ServletException {
        SipURI target = nextHop.of(request);
        if (target == null) {
            request.createResponse(SipServletResponse.SC_NOT_FOUND).send();
            return;
        }
        SipServletRequest leg;
        try {
            leg = request.getB2buaHelper().createRequest(request, true, null);
        } catch (javax.servlet.sip.TooManyHopsException e) {
            log("Too many hops for call " + request.getCallId() + ": " + e.getMessage());
            return; // the container has answered 483
        }
        leg.setRequestURI(target);
        leg.send();
    }

    private void relay(SipServletRequest request) throws IOException {
        B2buaHelper helper = request.getB2buaHelper();
        SipSession other = helper.getLinkedSession(request.getSession());
        if (other == null || !other.isValid() || other.getState() == SipSession.State.TERMINATED) {
            int status =
                    request.getMethod().equals("BYE")
                            ? SipServletResponse.SC_OK
                            : SipServletResponse.SC_CALL_LEG_DONE;
            request.createResponse(status).send();
            return;
        }
        helper.createRequest(other, request, null).send();
    }

    /**
     * The caller's ACK confirms the 2xx that the callee's leg still waits with (RFC 3261 13.2.2.4).
     */
    private static void acknowledge(SipServletRequest ack) throws IOException {
        B2buaHelper helper = ack.getB2buaHelper();
        SipSession other = helper.getLinkedSession(ack.getSession());
        if (other == null || !other.isValid()) {
            return;
        }
        for (SipServletMessage pending : helper.getPendingMessages(other, UAMode.UAC)) {
            if (pending instanceof SipServletResponse && pending.getMethod().equals("INVITE")) {
                SipServletResponse response = (SipServletResponse) pending;
                if (response.getStatus() >= 200 && response.getStatus() < 300) {
                    SipServletRequest onward = response.createAck();
                    copyContent(ack, onward);
                    onward.send();
                }
            }
        }
    }

    private static void cancel(SipServletRequest cancel) throws IOException {
        B2buaHelper helper = cancel.getB2buaHelper();
        SipSession other = helper.getLinkedSession(cancel.getSession());
        if (other != null && other.isValid() && other.getState() != SipSession.State.CONFIRMED) {
            helper.createCancel(other).send();
        }
    }

    @Override
    protected void doResponse(SipServletResponse response) throws IOException, ServletException {
        int status = response.getStatus();
        boolean invite = response.getMethod().equals("INVITE");
        if (invite && status < 200 && response.getHeader("RSeq") != null) {
            provisional(response);
        }
        SipServletRequest answered = response.getRequest();
        if (answered == null || response.getMethod().equals("PRACK")) {
            return;
        }
        B2buaHelper helper = answered.getB2buaHelper();
        SipServletRequest original = helper.getLinkedSipServletRequest(answered);
        if (original == null || original.isCommitted()) {
            if (invite && status >= 200 && status < 300) {
                release(response, helper, original);
            }
            return;
        }
        SipServletResponse back = original.createResponse(status, response.getReasonPhrase());
        copyContent(response, back);
        back.send();
    }

    private static void provisional(SipServletResponse response) throws IOException {
        try {
            response.createPrack().send();
        } catch (javax.servlet.sip.Rel100Exception e) {
            throw new IOException("PRACK could not be made for " + response.getStatus(), e);
        }
    }

    /**
     * A 2xx whose caller is gone (cancelled, or the other branch of a fork answered): it is
     * confirmed and ended.
     */
    private static void release(
            SipServletResponse response, B2buaHelper helper, SipServletRequest original)
            throws IOException {
        response.createAck().send();
        SipSession session = response.getSession();
        boolean talking =
                original != null
                        && helper.getLinkedSession(original.getSession()) == session
                        && original.getSession().getState() == SipSession.State.CONFIRMED;
        if (!talking) {
            session.createRequest("BYE").send();
        }
    }

    private static void copyContent(SipServletMessage from, SipServletMessage to)
            throws IOException {
        if (from.getContentLength() > 0) {
            to.setContent(from.getRawContent(), from.getContentType());
        }
    }
}
