package org.example.auditor;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** An answering user agent; what matters is the listener beside it. */
public class Auditor extends SipServlet {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        request.getApplicationSession().setAttribute("caller", request.getFrom().getURI().toString());
        request.getSession().setAttribute("state", "answered");
        request.createResponse(SipServletResponse.SC_OK).send();
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        bye.getSession().setAttribute("state", "ended");
        bye.createResponse(SipServletResponse.SC_OK).send();
    }
}
