package org.example.anonymizer;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** Hides who calls, and shows the callee a short number for the dialled one. */
public class Anonymizer extends SipServlet {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        SipServletRequest leg = request.getB2buaHelper().createRequest(request, true, null);
        Address from = leg.getFrom();
        from.setDisplayName("Anonymous");
        SipURI caller = (SipURI) from.getURI();
        caller.setUser("anonymous");
        caller.setHost("anonymous.invalid");
        caller.setPort(-1);
        from.setParameter("x-class", "hidden");
        leg.getTo().setURI(factory.createSipURI("7", "10.0.1.2"));
        leg.setRequestURI(factory.createSipURI("7", "10.0.1.2"));
        leg.setHeader("Privacy", "id");
        leg.send();
    }

    @Override
    protected void doResponse(SipServletResponse response) throws ServletException, IOException {
        SipServletRequest leg = response.getRequest();
        if (response.getMethod().equals("INVITE") && response.getStatus() == 200) {
            response.createAck().send();
        }
        leg.getB2buaHelper().getLinkedSipServletRequest(leg).createResponse(response.getStatus()).send();
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        B2buaHelper helper = bye.getB2buaHelper();
        helper.createRequest(helper.getLinkedSession(bye.getSession()), bye, null).send();
    }
}
