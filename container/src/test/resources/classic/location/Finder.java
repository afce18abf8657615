package org.example.location;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** Proxies to where the registrar says. */
public class Finder extends SipServlet {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        find(request);
    }

    @Override
    protected void doMessage(SipServletRequest request) throws ServletException, IOException {
        find(request);
    }

    private void find(SipServletRequest request) throws ServletException, IOException {
        String user = ((SipURI) request.getRequestURI()).getUser();
        List<Address> bindings =
                (List<Address>) getServletContext().getAttribute(getInitParameter("prefix") + user);
        if (bindings == null || bindings.isEmpty()) {
            request.createResponse(SipServletResponse.SC_TEMPORARILY_UNAVAILABLE).send();
            return;
        }
        List<URI> targets = new ArrayList<URI>();
        for (Address binding : bindings) {
            targets.add(binding.getURI());
        }
        request.getProxy().proxyTo(targets);
    }
}
