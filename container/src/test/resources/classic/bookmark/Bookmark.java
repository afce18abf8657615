package org.example.bookmark;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** Redirects a caller to itself with a URI that leads back into the same application session. */
public class Bookmark extends SipServlet {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        SipApplicationSession session = request.getApplicationSession();
        SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        if (session.getAttribute("first") == null) {
            session.setAttribute("first", request.getCallId());
            session.setInvalidateWhenReady(false);
            SipURI back = factory.createSipURI("back", "10.0.0.1:5060");
            session.encodeURI(back);
            SipServletResponse moved =
                    request.createResponse(SipServletResponse.SC_MOVED_TEMPORARILY);
            moved.setAddressHeader("Contact", factory.createAddress(back));
            moved.send();
        } else {
            SipServletResponse no = request.createResponse(SipServletResponse.SC_NOT_IMPLEMENTED);
            no.setHeader("X-First", (String) session.getAttribute("first"));
            no.send();
            session.setInvalidateWhenReady(true);
        }
    }
}
