package org.example.matchmaker;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/**
 * Third party call control with one ACK that waits for the other phone. A SUBSCRIBE-less trigger:
 * an OPTIONS whose user part names the callee.
 */
public class Matchmaker extends SipServlet {
    @Override
    protected void doOptions(SipServletRequest trigger) throws ServletException, IOException {
        SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        trigger.createResponse(SipServletResponse.SC_OK).send();
        SipApplicationSession call = factory.createApplicationSession();
        Address controller = factory.createAddress("\"Match\" <sip:match@10.0.0.1>");
        SipServletRequest invite = factory.createRequest(call, "INVITE", controller,
                factory.createAddress("<sip:first@10.0.1.1>"));
        invite.send();
        call.setAttribute("first", invite.getSession().getId());
    }

    @Override
    protected void doSuccessResponse(SipServletResponse response) throws ServletException, IOException {
        if (!response.getMethod().equals("INVITE")) {
            return;
        }
        SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        SipApplicationSession call = response.getApplicationSession();
        if (response.getSession().getId().equals(call.getAttribute("first"))) {
            SipServletRequest invite = factory.createRequest(call, "INVITE",
                    response.getFrom(), factory.createAddress("<sip:second@10.0.1.2>"));
            invite.setContent(response.getContent(), response.getContentType());
            invite.getSession().setAttribute("unacknowledged", response);
            invite.send();
        } else {
            response.createAck().send();
            SipServletResponse waiting =
                    (SipServletResponse) response.getSession().getAttribute("unacknowledged");
            SipServletRequest ack = waiting.createAck();
            ack.setContent(response.getContent(), response.getContentType());
            ack.send();
            response.getSession().setAttribute("other", waiting.getSession());
            waiting.getSession().setAttribute("other", response.getSession());
        }
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        bye.createResponse(SipServletResponse.SC_OK).send();
        ((SipSession) bye.getSession().getAttribute("other")).createRequest("BYE").send();
    }
}
