package org.example.pickup;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** A B2BUA that finds its second leg by the request links alone, when the caller gives up too. */
public class Pickup extends SipServlet {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        request.getSession().setAttribute("INVITE", request);
        SipServletRequest leg = request.getB2buaHelper().createRequest(request, true, null);
        leg.setRequestURI(factory.createURI("sip:group@10.0.1.2"));
        leg.send();
    }

    @Override
    protected void doCancel(SipServletRequest cancel) throws ServletException, IOException {
        SipServletRequest first = (SipServletRequest) cancel.getSession().getAttribute("INVITE");
        SipServletRequest leg = cancel.getB2buaHelper().getLinkedSipServletRequest(first);
        leg.createCancel().send();
    }

    @Override
    protected void doProvisionalResponse(SipServletResponse response) throws IOException {
        SipServletRequest leg = response.getRequest();
        leg.getB2buaHelper().getLinkedSipServletRequest(leg).createResponse(response.getStatus()).send();
    }

    @Override
    protected void doSuccessResponse(SipServletResponse response) throws ServletException, IOException {
        SipServletRequest leg = response.getRequest();
        if (response.getMethod().equals("INVITE")) {
            response.createAck().send();
        }
        SipServletRequest first = leg.getB2buaHelper().getLinkedSipServletRequest(leg);
        if (first != null) {
            first.createResponse(response.getStatus()).send();
        }
    }

    @Override
    protected void doErrorResponse(SipServletResponse response) throws IOException {
        SipServletRequest leg = response.getRequest();
        SipServletRequest first = leg.getB2buaHelper().getLinkedSipServletRequest(leg);
        if (first != null && !first.isCommitted()) {
            first.createResponse(response.getStatus()).send();
        }
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        B2buaHelper helper = bye.getB2buaHelper();
        helper.createRequest(helper.getLinkedSession(bye.getSession()), bye, null).send();
    }
}
