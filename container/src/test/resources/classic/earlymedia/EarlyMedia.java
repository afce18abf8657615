package org.example.earlymedia;

import java.io.IOException;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** A B2BUA that passes reliable provisional responses and their PRACKs. */
public class EarlyMedia extends SipServlet {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        SipServletRequest leg = request.getB2buaHelper().createRequest(request, true, null);
        leg.setRequestURI(factory.createURI("sip:10.0.1.2"));
        leg.send();
    }

    @Override
    protected void doProvisionalResponse(SipServletResponse response) throws ServletException, IOException {
        SipServletRequest leg = response.getRequest();
        SipServletRequest first = leg.getB2buaHelper().getLinkedSipServletRequest(leg);
        SipServletResponse onward = first.createResponse(response.getStatus(), response.getReasonPhrase());
        copy(response, onward);
        if (response.getHeader("RSeq") != null) {
            onward.sendReliably();
        } else {
            onward.send();
        }
    }

    @Override
    protected void doPrack(SipServletRequest prack) throws ServletException, IOException {
        B2buaHelper helper = prack.getB2buaHelper();
        SipSession peer = helper.getLinkedSession(prack.getSession());
        List<SipServletMessage> pending = helper.getPendingMessages(peer, UAMode.UAC);
        for (SipServletMessage message : pending) {
            if (message instanceof SipServletResponse && message.getHeader("RSeq") != null) {
                SipServletRequest onward = ((SipServletResponse) message).createPrack();
                copy(prack, onward);
                peer.setAttribute("PRACK", prack);
                onward.send();
            }
        }
    }

    @Override
    protected void doSuccessResponse(SipServletResponse response) throws ServletException, IOException {
        SipServletRequest first;
        if (response.getMethod().equals("PRACK")) {
            first = (SipServletRequest) response.getSession().getAttribute("PRACK");
        } else {
            first = response.getRequest().getB2buaHelper().getLinkedSipServletRequest(response.getRequest());
        }
        SipServletResponse onward = first.createResponse(response.getStatus());
        copy(response, onward);
        onward.send();
    }

    @Override
    protected void doAck(SipServletRequest ack) throws ServletException, IOException {
        B2buaHelper helper = ack.getB2buaHelper();
        SipSession peer = helper.getLinkedSession(ack.getSession());
        for (SipServletMessage message : helper.getPendingMessages(peer, UAMode.UAC)) {
            if (message instanceof SipServletResponse) {
                ((SipServletResponse) message).createAck().send();
            }
        }
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        B2buaHelper helper = bye.getB2buaHelper();
        helper.createRequest(helper.getLinkedSession(bye.getSession()), bye, null).send();
    }

    private static void copy(SipServletMessage from, SipServletMessage to) throws IOException {
        if (from.getContentLength() > 0) {
            to.setContent(from.getRawContent(), from.getContentType());
        }
    }
}
