package io.carillon.examples.timers;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.Rel100Exception;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.TooManyHopsException;
import javax.servlet.sip.UAMode;

/**
 * A B2BUA for calls that cost something: it joins caller and callee, and {@link CallClock} says
 * when the callee has rung long enough and when the credit is used up. A proxy could not do that,
 * for it cannot end a call.
 */
public class LimitedCallServlet extends SipServlet {
    private static final long serialVersionUID = 1L;

    private transient CallClock clock;

    @Override
    public void init() throws ServletException {
        clock = new CallClock(getServletContext());
    }

    @Override
    protected void doRequest(SipServletRequest request) throws ServletException, IOException {
        switch (request.getMethod()) {
            case "ACK":
                acknowledge(request);
                break;
            case "CANCEL":
                cancel(request);
                break;
            case "BYE":
                end(request);
                break;
            case "PRACK":
                request.createResponse(200).send(); // each leg acknowledges its own 1xx
                break;
            default:
                if (!request.isInitial()) {
                    relay(request);
                } else if (request.getMethod().equals("INVITE")) {
                    begin(request);
                } else {
                    SipServletResponse no = request.createResponse(405);
                    no.setHeader("Allow", "INVITE, ACK, BYE, CANCEL, PRACK, UPDATE, INFO, MESSAGE");
                    no.send();
                }
        }
    }

    private void begin(SipServletRequest invite) throws IOException {
        try {
            SipServletRequest leg = invite.getB2buaHelper().createRequest(invite, true, null);
            leg.send();
            clock.ringing(invite, leg.getSession());
        } catch (TooManyHopsException answered) {
            // The container has sent 483; strangers shall not fill the log with it.
        }
    }

    private void relay(SipServletRequest request) throws IOException {
        SipSession other = linked(request);
        if (other == null) {
            request.createResponse(481).send();
        } else {
            request.getB2buaHelper().createRequest(other, request, null).send();
        }
    }

    /**
     * Only a BYE of one of the two who talk ends the call: a further branch of the callee has a
     * session here too. The other side gets a BYE of our own, without headers that it could refuse:
     * the call would go on there, and nobody would count.
     */
    private void end(SipServletRequest bye) throws IOException {
        SipSession other = linked(bye);
        if (other != null
                && bye.getSession().equals(bye.getB2buaHelper().getLinkedSession(other))) {
            SipServletRequest onward = other.createRequest("BYE");
            String reason = bye.getHeader("Reason");
            if (reason != null) {
                onward.setHeader("Reason", reason);
            }
            onward.send();
            clock.stop(bye.getSession());
        }
        bye.createResponse(200).send();
    }

    private static SipSession linked(SipServletRequest request) {
        SipSession other = request.getB2buaHelper().getLinkedSession(request.getSession());
        boolean alive =
                other != null && other.isValid() && other.getState() != SipSession.State.TERMINATED;
        return alive ? other : null;
    }

    /** The caller's ACK confirms the 2xx that the callee's leg waits with: now it costs. */
    private void acknowledge(SipServletRequest ack) throws IOException {
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
        clock.talking(ack.getSession(), other);
    }

    private void cancel(SipServletRequest cancel) throws IOException {
        clock.answered(cancel.getSession()); // of a re-INVITE too: the call goes on
        SipSession other = linked(cancel);
        if (other != null && other.getState() != SipSession.State.CONFIRMED) {
            cancel.getB2buaHelper().createCancel(other).send();
        }
    }

    @Override
    protected void doResponse(SipServletResponse response) throws IOException {
        SipServletRequest asked = response.getRequest();
        if (response.getHeader("RSeq") != null && response.getStatus() < 200) {
            acknowledgeProvisional(response);
        }
        if (asked == null || response.getMethod().equals("PRACK")) {
            return;
        }
        B2buaHelper helper = asked.getB2buaHelper();
        SipServletRequest original = helper.getLinkedSipServletRequest(asked);
        if (original != null && asked.isInitial() && response.getStatus() >= 200) {
            clock.answered(original.getSession()); // a further 2xx comes here too
        }
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
     * goes on where a change of it was taken back.
     */
    private static void release(SipServletResponse response, SipServletRequest original)
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
