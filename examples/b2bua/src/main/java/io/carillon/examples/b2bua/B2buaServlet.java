package io.carillon.examples.b2bua;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.Rel100Exception;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TooManyHopsException;
import javax.servlet.sip.UAMode;

/**
 * Basic B2BUA: each call becomes two dialogs, and what happens on one happens on the other. The ACK
 * goes through end to end, so a late offer (SDP in the ACK) works too.
 */
public class B2buaServlet extends SipServlet {
    private static final long serialVersionUID = 1L;

    private transient NextHop nextHop;
    private transient Replacement replacement;

    @Override
    public void init() throws ServletException {
        nextHop = new NextHop(getServletContext());
        replacement = new Replacement(getServletContext());
    }

    @Override
    protected void doRequest(SipServletRequest request) throws ServletException, IOException {
        if (request.getMethod().equals("ACK")) {
            acknowledge(request);
        } else if (request.getMethod().equals("CANCEL")) {
            cancel(request);
        } else if (request.getMethod().equals("PRACK")) {
            request.createResponse(200).send(); // each leg acknowledges its own 1xx
        } else if (request.isInitial()) {
            begin(request);
        } else {
            relay(request);
        }
    }

    private void begin(SipServletRequest request) throws IOException {
        if (nextHop.passedBy(request)) {
            request.createResponse(403).send();
            return;
        }
        SipSession replaced = replacement.of(request);
        if (replaced != null && !Replacement.isNameable(replaced)) {
            request.createResponse(403).send();
            return;
        }
        SipURI target = nextHop.of(request);
        if (target == null && replaced == null) {
            request.createResponse(404).send();
            return;
        }
        try {
            SipServletRequest leg = request.getB2buaHelper().createRequest(request, true, null);
            Replacement.mayBeNamed(leg.getSession());
            if (request.getRemoteUser() != null) {
                Replacement.mayBeNamed(request.getSession());
            }
            if (replaced == null) {
                leg.setRequestURI(target);
            } else {
                Replacement.lead(leg, replaced);
                Replacement.name(replaced, leg);
            }
            leg.send();
        } catch (TooManyHopsException answered) {
            // The container has sent 483; strangers shall not fill the log with it.
        }
    }

    private static void relay(SipServletRequest request) throws IOException {
        SipSession other = linked(request);
        if (other == null) {
            request.createResponse(request.getMethod().equals("BYE") ? 200 : 481).send();
        } else {
            SipServletRequest onward = request.getB2buaHelper().createRequest(other, request, null);
            Referral.translate(request, onward);
            onward.send();
        }
    }

    private static SipSession linked(SipServletRequest request) {
        SipSession other = request.getB2buaHelper().getLinkedSession(request.getSession());
        boolean alive =
                other != null && other.isValid() && other.getState() != SipSession.State.TERMINATED;
        return alive ? other : null;
    }

    /** The caller's ACK confirms the 2xx that the callee's leg waits with (RFC 3261 13.2.2.4). */
    private static void acknowledge(SipServletRequest ack) throws IOException {
        SipSession other = linked(ack);
        if (other == null) {
            return;
        }
        for (SipServletMessage m : ack.getB2buaHelper().getPendingMessages(other, UAMode.UAC)) {
            if (m instanceof SipServletResponse && isSuccess((SipServletResponse) m)) {
                SipServletRequest onward = ((SipServletResponse) m).createAck();
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

    @Override
    protected void doResponse(SipServletResponse response) throws IOException {
        SipServletRequest answered = response.getRequest();
        if (response.getHeader("RSeq") != null && response.getStatus() < 200) {
            acknowledgeProvisional(response);
        }
        if (answered == null || response.getMethod().equals("PRACK")) {
            return;
        }
        B2buaHelper helper = answered.getB2buaHelper();
        SipServletRequest original = helper.getLinkedSipServletRequest(answered);
        if (original != null && !original.isCommitted()) {
            SipServletResponse back =
                    original.createResponse(response.getStatus(), response.getReasonPhrase());
            copyContent(response, back);
            back.send();
        } else if (isSuccess(response)) {
            release(response, original);
        }
    }

    private static void acknowledgeProvisional(SipServletResponse response) throws IOException {
        try {
            response.createPrack().send();
        } catch (Rel100Exception e) {
            throw new IOException("No PRACK can be made for " + response.getStatus(), e);
        }
    }

    /**
     * A 2xx whose caller is gone, or was given to another branch: confirmed and ended. The call
     * goes on where a change of it was taken back, and where its caller has this answer: the node
     * that had the call died before it was confirmed, and the callee repeats it.
     */
    private static void release(SipServletResponse response, SipServletRequest original)
            throws IOException {
        response.createAck().send();
        boolean goesOn =
                original != null
                        && linked(original) == response.getSession()
                        && (!original.isInitial()
                                || original.getSession().getState() == SipSession.State.CONFIRMED);
        if (!goesOn) {
            response.getSession().createRequest("BYE").send();
        }
    }

    private static boolean isSuccess(SipServletResponse response) {
        return response.getMethod().equals("INVITE") && response.getStatus() / 100 == 2;
    }

    private static void copyContent(SipServletMessage from, SipServletMessage to)
            throws IOException {
        if (from.getContentLength() > 0) {
            to.setContent(from.getRawContent(), from.getContentType());
        }
    }
}
