package org.example.courier;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** Passes a text on as a request of its own, and leaves the tidying up to the container. */
public class Courier extends SipServlet {
    @Override
    protected void doMessage(SipServletRequest message) throws ServletException, IOException {
        SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        SipServletRequest onward = factory.createRequest(message.getApplicationSession(), "MESSAGE",
                message.getFrom(), factory.createAddress("<sip:desk@10.0.1.2:5060>"));
        onward.setContent(message.getRawContent(), message.getContentType());
        onward.getSession().setAttribute("asked", message);
        onward.send();
    }

    @Override
    protected void doResponse(SipServletResponse response) throws IOException {
        SipServletRequest asked = (SipServletRequest) response.getSession().getAttribute("asked");
        asked.createResponse(response.getStatus(), response.getReasonPhrase()).send();
    }
}
