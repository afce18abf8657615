package org.example.mailbox;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** A proxy that tries the mailbox when the phone is busy: a further target in the final response. */
public class Mailbox extends SipServlet {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        request.createResponse(SipServletResponse.SC_CALL_BEING_FORWARDED).send();
        Proxy proxy = request.getProxy();
        proxy.setRecordRoute(true);
        proxy.setSupervised(true);
        proxy.proxyTo(request.getRequestURI());
    }

    @Override
    protected void doErrorResponse(SipServletResponse response) throws ServletException, IOException {
        SipApplicationSession call = response.getApplicationSession();
        boolean busy = response.getStatus() == SipServletResponse.SC_BUSY_HERE;
        if (busy && call.getAttribute("mailbox") == null) {
            call.setAttribute("mailbox", "tried");
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            SipURI box = factory.createSipURI("box", "10.0.1.3:5090");
            response.getProxy().proxyTo(box);
        }
    }

    @Override
    protected void doCancel(SipServletRequest cancel) {
        log("caller gave up, CANCEL committed: " + cancel.isCommitted());
    }

    @Override
    protected void doSuccessResponse(SipServletResponse response) {
        response.addHeader("X-Method", response.getMethod());
    }
}
