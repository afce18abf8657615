package org.example.habits;

import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** What other containers let pass. */
public class Habits extends SipServlet {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        Map<String, List<String>> map = new HashMap<String, List<String>>();
        map.put("To", Collections.singletonList("<sip:bob@10.0.1.2>"));
        map.put("Call-ID", Collections.singletonList(request.getCallId()));
        SipServletRequest leg = request.getB2buaHelper().createRequest(request, true, map);
        leg.setRequestURI(factory.createURI("sip:bob@10.0.1.2"));
        leg.getAddressHeader("P-Preferred-Identity").setParameter("x-note", "\"text\"");
        leg.send();
    }

    @Override
    protected void doErrorResponse(SipServletResponse response) throws IOException {
        SipServletRequest leg = response.getRequest();
        SipServletRequest first = leg.getB2buaHelper().getLinkedSipServletRequest(leg);
        SipServletResponse onward = first.createResponse(response.getStatus());
        onward.setHeader("X-Tried", response.getRemoteAddr() + ":" + response.getRemotePort());
        onward.send();
    }
}
