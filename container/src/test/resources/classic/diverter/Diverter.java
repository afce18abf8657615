package org.example.diverter;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** A redirect server: it answers 302 with where the user is, best place first. */
public class Diverter extends SipServlet {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        SipServletResponse moved = request.createResponse(SipServletResponse.SC_MOVED_TEMPORARILY);
        SipURI office = factory.createSipURI("bob", "10.0.1.2:5080");
        office.setTransportParam("udp");
        Address first = factory.createAddress(office, "Office");
        first.setQ(0.9f);
        first.setExpires(60);
        moved.setAddressHeader("Contact", first);
        Address second = factory.createAddress("<tel:+4930123456>;q=0.2");
        moved.addAddressHeader("Contact", second, false);
        moved.setHeader("Diversion", "<sip:bob@10.0.0.1>;reason=unconditional");
        moved.send();
    }
}
