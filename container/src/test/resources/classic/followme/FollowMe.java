package org.example.followme;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** A proxy that follows redirects by itself and notes what came back. */
public class FollowMe extends SipServlet {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        Proxy proxy = request.getProxy();
        proxy.setRecurse(true);
        proxy.setRecordRoute(false);
        proxy.setProxyTimeout(20);
        proxy.proxyTo(request.getRequestURI());
    }

    @Override
    protected void doErrorResponse(SipServletResponse response) {
        response.setHeader("X-Best", "of " + response.getProxy().getProxyBranches().size());
    }
}
