package org.example.frontdesk;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** Takes the call over, the rest of it too. */
public class Sales extends SipServlet {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        request.getSession().setHandler(getServletName());
        SipServletResponse ok = request.createResponse(SipServletResponse.SC_OK);
        ok.setHeader("X-Desk", getServletName() + " asked as " + request.getAttribute("desk"));
        ok.send();
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        SipServletResponse ok = bye.createResponse(SipServletResponse.SC_OK);
        ok.setHeader("X-Desk", getServletName());
        ok.send();
    }
}
