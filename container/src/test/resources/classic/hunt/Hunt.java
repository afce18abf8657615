package org.example.hunt;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** One phone after the other, a few seconds each; the caller learns who was tried. */
public class Hunt extends SipServlet {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        List<URI> line = new ArrayList<URI>();
        line.add(factory.createURI("sip:first@10.0.1.2"));
        line.add(factory.createURI("sip:second@10.0.1.3"));
        line.add(factory.createURI("sip:third@10.0.1.4"));
        Proxy proxy = request.getProxy();
        proxy.setParallel(false);
        proxy.setSupervised(true);
        List<ProxyBranch> branches = proxy.createProxyBranches(line);
        for (ProxyBranch branch : branches) {
            branch.setProxyBranchTimeout(5);
        }
        request.getApplicationSession().setAttribute("tried", "");
        proxy.startProxy();
    }

    @Override
    protected void doBranchResponse(SipServletResponse response) throws ServletException, IOException {
        SipApplicationSession call = response.getApplicationSession();
        SipURI phone = (SipURI) response.getProxyBranch().getRequest().getRequestURI();
        call.setAttribute("tried",
                call.getAttribute("tried") + phone.getUser() + "=" + response.getStatus() + " ");
    }

    @Override
    protected void doErrorResponse(SipServletResponse response) {
        response.setHeader("X-Tried",
                ((String) response.getApplicationSession().getAttribute("tried")).trim());
    }
}
