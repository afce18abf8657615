package org.example.latin;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** A B2BUA that changes nothing of what came. */
public class Latin extends SipServlet {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        SipServletRequest leg = request.getB2buaHelper().createRequest(request, true, null);
        leg.setRequestURI(factory.createURI("sip:10.0.1.2"));
        leg.send();
    }

    @Override
    protected void doErrorResponse(SipServletResponse response) throws IOException {
        SipServletRequest leg = response.getRequest();
        leg.getB2buaHelper().getLinkedSipServletRequest(leg)
                .createResponse(response.getStatus(), response.getReasonPhrase()).send();
    }
}
