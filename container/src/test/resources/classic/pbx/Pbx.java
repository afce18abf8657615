package org.example.pbx;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** The textbook B2BUA: one method for all requests, one for all responses. */
public class Pbx extends SipServlet {
    @Override
    protected void doRequest(SipServletRequest request) throws ServletException, IOException {
        B2buaHelper helper = request.getB2buaHelper();
        if (request.getMethod().equals("ACK")) {
            SipSession peer = helper.getLinkedSession(request.getSession());
            for (SipServletMessage message : helper.getPendingMessages(peer, UAMode.UAC)) {
                if (message instanceof SipServletResponse) {
                    SipServletRequest ack = ((SipServletResponse) message).createAck();
                    copy(request, ack);
                    ack.send();
                }
            }
            return;
        }
        if (request.isInitial()) {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            SipServletRequest leg = helper.createRequest(request, true, null);
            leg.setRequestURI(factory.createURI("sip:phone@10.0.1.2"));
            leg.send();
            return;
        }
        SipSession peer = helper.getLinkedSession(request.getSession());
        SipServletRequest onward = helper.createRequest(peer, request, null);
        try {
            onward.send();
        } catch (IllegalStateException pending) {
            request.createResponse(SipServletResponse.SC_REQUEST_PENDING).send();
        }
    }

    @Override
    protected void doResponse(SipServletResponse response) throws ServletException, IOException {
        SipServletRequest sent = response.getRequest();
        B2buaHelper helper = sent.getB2buaHelper();
        SipServletRequest original = helper.getLinkedSipServletRequest(sent);
        SipServletResponse onward;
        if (original.isCommitted()) {
            onward = helper.createResponseToOriginalRequest(
                    original.getSession(), response.getStatus(), response.getReasonPhrase());
            helper.linkSipSessions(onward.getSession(), response.getSession());
        } else {
            onward = original.createResponse(response.getStatus(), response.getReasonPhrase());
        }
        copy(response, onward);
        for (Iterator<String> names = response.getHeaderNames(); names.hasNext();) {
            String name = names.next();
            if (name.startsWith("X-")) {
                onward.setHeader(name, response.getHeader(name));
            }
        }
        onward.send();
    }

    private static void copy(SipServletMessage from, SipServletMessage to) throws IOException {
        if (from.getContentLength() > 0) {
            to.setContent(from.getRawContent(), from.getContentType());
        }
    }
}
