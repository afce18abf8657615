package org.example.dialout;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** Calls by order of a MESSAGE, through a carrier that asks for a password; tells how it went. */
public class Dialout extends SipServlet {
    @Override
    protected void doMessage(SipServletRequest order) throws ServletException, IOException {
        SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        order.createResponse(SipServletResponse.SC_ACCEPTED).send();
        SipServletRequest invite = factory.createRequest(order.getApplicationSession(), "INVITE",
                "sip:robot@10.0.0.1", ((String) order.getContent()).trim());
        invite.setContent("v=0 robot", "application/sdp");
        invite.getSession().setAttribute("order", order.getFrom());
        invite.send();
    }

    @Override
    protected void doSuccessResponse(SipServletResponse response) throws ServletException, IOException {
        if (response.getMethod().equals("INVITE")) {
            response.createAck().send();
            if (response.getApplicationSession().getAttribute("answered") != null) {
                response.getSession().createRequest("BYE").send();
                return;
            }
            response.getApplicationSession().setAttribute("answered", response.getSession().getId());
            tell(response, "answered by " + response.getAddressHeader("Contact").getURI());
        } else if (response.getMethod().equals("MESSAGE")) {
            String call = (String) response.getApplicationSession().getAttribute("answered");
            if (call != null) {
                response.getApplicationSession().getSipSession(call).createRequest("BYE").send();
            }
        } else if (response.getMethod().equals("BYE")) {
            String call = (String) response.getApplicationSession().getAttribute("answered");
            if (call.equals(response.getSession().getId())) {
                response.getApplicationSession().invalidate();
            }
        }
    }

    @Override
    protected void doErrorResponse(SipServletResponse response) throws ServletException, IOException {
        if (!response.getMethod().equals("INVITE")) {
            return;
        }
        int status = response.getStatus();
        if (status == 407 && response.getRequest().getHeader("Proxy-Authorization") == null) {
            SipServletRequest again = response.getSession().createRequest("INVITE");
            again.addAuthHeader(response, "robot", "secret");
            again.setContent(response.getRequest().getContent(), response.getRequest().getContentType());
            again.send();
            return;
        }
        tell(response, "failed with " + status + " " + response.getReasonPhrase());
    }

    private void tell(SipServletResponse response, String text) throws ServletException, IOException {
        SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        Address boss = (Address) response.getRequest().getSession().getAttribute("order");
        SipServletRequest report = factory.createRequest(response.getApplicationSession(), "MESSAGE",
                factory.createAddress("sip:robot@10.0.0.1"), boss);
        report.setContent(text, "text/plain");
        report.send();
    }
}
