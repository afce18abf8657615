package org.example.inspector;

import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Arrays;
import java.util.Map;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** A B2BUA that shapes its second leg by the header map, and answers in compact form. */
public class Inspector extends SipServlet {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        Map<String, List<String>> map = new HashMap<String, List<String>>();
        map.put("From", Collections.singletonList("\"Desk\" <sip:desk@10.0.0.1>;tag=ignored"));
        map.put("To", Collections.singletonList("<sip:target@10.0.1.2>"));
        map.put("Contact", Collections.singletonList("<sip:line7@ignored.example;x=y>"));
        map.put("Route", Collections.singletonList("<sip:10.0.1.2:5075;lr>"));
        map.put("X-List", Arrays.asList("one", "two"));
        SipServletRequest leg;
        try {
            leg = request.getB2buaHelper().createRequest(request, true, map);
        } catch (TooManyHopsException answered) {
            log("483 was sent: " + request.isCommitted());
            return;
        }
        leg.setRequestURI(factory.createURI("sip:target@10.0.1.2"));
        leg.setHeader("X-From", request.getRemoteAddr() + " " + request.getRemotePort() + " "
                + request.getTransport() + " " + request.getInitialRemoteAddr());
        leg.setHeader("X-State", request.getSession().getState() + " " + leg.getSession().getState());
        leg.setHeader("X-Session", String.valueOf(request.getSession(false) == request.getSession()));
        leg.send();
    }

    @Override
    protected void doErrorResponse(SipServletResponse response) throws IOException {
        SipServletRequest leg = response.getRequest();
        SipServletRequest first = leg.getB2buaHelper().getLinkedSipServletRequest(leg);
        SipServletResponse onward = first.createResponse(response.getStatus(), response.getReasonPhrase());
        onward.setHeaderForm(SipServletMessage.HeaderForm.COMPACT);
        onward.setHeader("Warning", response.getHeader("Warning"));
        onward.setHeader("Subject", "sorry");
        try {
            onward.setHeader("Via", "SIP/2.0/UDP forged");
        } catch (IllegalArgumentException systemHeader) {
            onward.setHeader("X-System", "Via");
        }
        onward.send();
    }
}
