package io.carillon.server.trace;

import java.io.IOException;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;

/** A proxy that rings bob, carol and dave at once. */
public final class ForkingServlet extends SipServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        try {
            Proxy proxy = request.getProxy();
            proxy.setRecordRoute(true);
            proxy.setSupervised(true);
            proxy.proxyTo(
                    List.of(
                            factory.createURI("sip:bob@10.0.1.2"),
                            factory.createURI("sip:carol@10.0.1.3"),
                            factory.createURI("sip:nobody@10.0.1.9")));
        } catch (javax.servlet.sip.TooManyHopsException e) {
            throw new ServletException(e);
        }
    }
}
