package io.carillon.servlet.feature.adopt;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;

/** A proxy that stays on the way, and sees what passes. */
final class Passes extends SipServlet {
    private static final long serialVersionUID = 1L;

    final transient List<String> seen = new ArrayList<>();

    @Override
    protected void doRequest(SipServletRequest request) throws ServletException, IOException {
        seen.add(
                request.getMethod()
                        + ' '
                        + request.getSession().getAttribute("mark")
                        + request.getSession().getRegion().getLabel());
        if (request.isInitial()) {
            request.getSession().setAttribute("mark", request.getSession().getId() + ' ');
            Proxy proxy = request.getProxy();
            proxy.setRecordRoute(true);
            proxy.proxyTo(request.getRequestURI());
        }
    }
}
