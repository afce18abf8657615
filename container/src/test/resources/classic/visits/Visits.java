package org.example.visits;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.*;
import javax.servlet.sip.ar.SipApplicationRoutingRegion;

/** Serves the caller and then the callee; the router names it for both. */
public class Visits extends SipServlet {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        if (!request.isInitial()) {
            return;
        }
        SipApplicationRoutingRegion region = request.getRegion();
        request.addHeader("X-Visit", region.getType() + " for " + request.getSubscriberURI());
        Proxy proxy = request.getProxy();
        proxy.setRecordRoute(true);
        proxy.proxyTo(request.getRequestURI());
    }
}
