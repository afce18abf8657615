package org.example.ringall;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** All phones of a group ring at once; who answers first has the call. */
public class RingAll extends SipServlet {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        List<URI> phones = new ArrayList<URI>();
        phones.add(factory.createSipURI("left", "10.0.1.2:5060"));
        phones.add(factory.createSipURI("right", "10.0.1.3:5062"));
        Proxy proxy = request.getProxy();
        proxy.setParallel(true);
        proxy.setRecordRoute(true);
        proxy.getRecordRouteURI().setParameter("group", "sales");
        List<ProxyBranch> branches = proxy.createProxyBranches(phones);
        for (ProxyBranch branch : branches) {
            branch.getRequest().setHeader("X-Branch", branch.getRequest().getRequestURI().toString());
        }
        proxy.startProxy();
    }

    @Override
    protected void doSuccessResponse(SipServletResponse response) {
        if (response.getMethod().equals("INVITE")) {
            response.setHeader("X-Taken-By",
                    response.getProxyBranch().getRequest().getRequestURI().toString());
        }
    }

    @Override
    protected void doBye(SipServletRequest bye) {
        bye.setHeader("X-Group", bye.getParameter("group"));
    }
}
