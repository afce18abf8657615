package org.example.trunk;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** Registers a trunk at its carrier as soon as the application is there. */
public class Trunk extends SipServlet implements SipServletListener {
    public void servletInitialized(SipServletContextEvent event) {
        SipFactory factory = (SipFactory) event.getServletContext().getAttribute(SIP_FACTORY);
        try {
            SipApplicationSession session = factory.createApplicationSession();
            SipURI user = factory.createSipURI("trunk7", "carrier.example");
            SipServletRequest register = factory.createRequest(session, "REGISTER", user, user);
            register.setRequestURI(factory.createSipURI(null, "10.0.1.8:5061"));
            register.setAddressHeader("Contact", factory.createAddress("<sip:trunk7@10.0.0.1:5060>"));
            register.setExpires(300);
            register.getSession().setHandler(event.getSipServlet().getServletName());
            register.send();
        } catch (Exception e) {
            event.getServletContext().log("REGISTER", e);
        }
    }

    @Override
    protected void doErrorResponse(SipServletResponse response) throws ServletException, IOException {
        if (response.getStatus() != SipServletResponse.SC_UNAUTHORIZED
                || response.getRequest().getHeader("Authorization") != null) {
            return;
        }
        SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        AuthInfo login = factory.createAuthInfo();
        login.addAuthInfo(response.getStatus(), "carrier", "trunk7", "secret");
        SipServletRequest again = response.getSession().createRequest("REGISTER");
        again.setRequestURI(response.getRequest().getRequestURI());
        again.setAddressHeader("Contact", response.getRequest().getAddressHeader("Contact"));
        again.setExpires(300);
        again.addAuthHeader(response, login);
        again.send();
    }

    @Override
    protected void doSuccessResponse(SipServletResponse response) throws ServletException, IOException {
        if (response.getMethod().equals("REGISTER")) {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            SipServletRequest probe = factory.createRequest(response.getApplicationSession(),
                    "OPTIONS", "sip:trunk7@carrier.example", "sip:10.0.1.8:5061");
            probe.setHeader("X-Registered", response.getAddressHeader("Contact").getExpires() + " s");
            probe.send();
        } else {
            response.getApplicationSession().invalidate();
        }
    }
}
