package org.example.gateway;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** Telephone numbers, popped routes and the deprecated createRequest, as a trunk gateway used them. */
public class Gateway extends SipServlet {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        if (!(request.getRequestURI() instanceof TelURL)) {
            request.createResponse(SipServletResponse.SC_UNSUPPORTED_URI_SCHEME).send();
            return;
        }
        TelURL number = (TelURL) request.getRequestURI();
        Address popped = request.getPoppedRoute();
        SipServletRequest leg = factory.createRequest(request, true);
        SipURI trunk = factory.createSipURI("+" + number.getPhoneNumber(), "10.0.1.2:5068");
        trunk.setUserParam("phone");
        leg.setRequestURI(trunk);
        leg.setHeader("X-Number", number.getPhoneNumber() + " " + number.isGlobal());
        leg.setHeader("X-Line", ((SipURI) popped.getURI()).getParameter("line"));
        Address asserted = request.getAddressHeader("P-Asserted-Identity");
        asserted.setDisplayName("Head office");
        leg.setAddressHeader("P-Asserted-Identity", asserted);
        request.getSession().setAttribute("leg", leg.getSession());
        leg.getSession().setAttribute("original", request);
        leg.send();
    }

    @Override
    protected void doErrorResponse(SipServletResponse response) throws IOException {
        SipServletRequest original = (SipServletRequest) response.getSession().getAttribute("original");
        SipServletResponse onward = original.createResponse(response.getStatus());
        onward.setHeader("Retry-After", response.getHeader("Retry-After"));
        onward.send();
    }
}
