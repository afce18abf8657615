package org.example.edge;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** Sends everything over an outbound proxy that stands in one parameter with its port. */
public class Edge extends SipServlet {
    @Override
    protected void doRequest(SipServletRequest request) throws ServletException, IOException {
        if (!request.isInitial()) {
            super.doRequest(request);
            return;
        }
        SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        SipURI edge = factory.createSipURI("edge", "10.0.1.9:5070");
        edge.setLrParam(true);
        edge.setParameter("site", "north");
        request.pushRoute(edge);
        if (request.getMethod().equals("INVITE")) {
            request.getProxy().setRecordRoute(true);
        }
        request.getProxy().proxyTo(request.getRequestURI());
    }
}
