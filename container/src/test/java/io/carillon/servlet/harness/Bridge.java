package io.carillon.servlet.harness;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.servlet.ServletException;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.UAMode;

/** A plain B2BUA, as an author would write it. */
public class Bridge extends SipServlet {
    private final String target;

    public final List<String> events = new ArrayList<>();

    public Bridge(String target) {
        this.target = target;
    }

    protected String target(SipServletRequest request) {
        return target;
    }

    /** What the second leg has otherwise than the first; null for nothing. */
    protected Map<String, List<String>> headers(SipServletRequest request) {
        return null;
    }

    @Override
    protected void doRequest(SipServletRequest request) throws ServletException, IOException {
        events.add(request.getMethod());
        B2buaHelper helper = request.getB2buaHelper();
        switch (request.getMethod()) {
            case "ACK" -> ack(request, helper);
            case "CANCEL" -> {
                SipSession other = helper.getLinkedSession(request.getSession());
                if (other != null && other.getState() != SipSession.State.CONFIRMED) {
                    helper.createCancel(other).send();
                }
            }
            default -> {
                if (request.isInitial()) {
                    SipServletRequest leg = helper.createRequest(request, true, headers(request));
                    SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
                    leg.setRequestURI(factory.createURI(target(request)));
                    leg.send();
                } else {
                    relay(request, helper);
                }
            }
        }
    }

    /** It may not leave now: another one is under way on that leg. */
    protected void pending(SipServletRequest request, IllegalStateException glare)
            throws IOException {
        request.createResponse(491).send();
    }

    private void relay(SipServletRequest request, B2buaHelper helper) throws IOException {
        SipSession other = helper.getLinkedSession(request.getSession());
        if (other == null || other.getState() == SipSession.State.TERMINATED) {
            request.createResponse(request.getMethod().equals("BYE") ? 200 : 481).send();
            return;
        }
        if (request.getMethod().equals("BYE")) {
            // It overtook the ACK. RFC 3261 13.2.2.4: "The UAC core MUST generate an ACK request
            // for each 2xx", and when the ACK comes this call is over.
            acknowledge(other, helper);
        }
        SipServletRequest onward = helper.createRequest(other, request, null);
        try {
            onward.send();
        } catch (IllegalStateException glare) {
            pending(request, glare);
        }
    }

    private static void ack(SipServletRequest ack, B2buaHelper helper) throws IOException {
        SipSession other = helper.getLinkedSession(ack.getSession());
        if (other != null) {
            acknowledge(other, helper);
        }
    }

    private static void acknowledge(SipSession other, B2buaHelper helper) throws IOException {
        for (SipServletMessage pending : helper.getPendingMessages(other, UAMode.UAC)) {
            if (pending instanceof SipServletResponse response && response.getStatus() / 100 == 2) {
                response.createAck().send();
            }
        }
    }

    @Override
    protected void doResponse(SipServletResponse response) throws ServletException, IOException {
        events.add(response.getMethod() + " " + response.getStatus());
        SipServletRequest answered = response.getRequest();
        B2buaHelper helper = answered.getB2buaHelper();
        SipServletRequest original = helper.getLinkedSipServletRequest(answered);
        boolean success = response.getMethod().equals("INVITE") && response.getStatus() / 100 == 2;
        if (original == null || original.isCommitted()) {
            if (success) {
                response.createAck().send();
                boolean derived =
                        original == null
                                || helper.getLinkedSession(original.getSession())
                                        != response.getSession();
                if (derived || original.getSession().getState() != SipSession.State.CONFIRMED) {
                    response.getSession().createRequest("BYE").send();
                }
            }
            return;
        }
        original.createResponse(response.getStatus()).send();
    }
}
