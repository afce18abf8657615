package io.carillon.it.attack;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;

/**
 * The SIP half of what is attacked beside the example {@code uas}: a record-routing proxy that
 * sends a call where its caller says.
 */
public class PreyServlet extends SipServlet {
    private static final long serialVersionUID = 1L;

    /** The header with the URI of the callee. */
    static final String CALLEE = "X-Callee";

    @Override
    protected void doInvite(SipServletRequest invite) throws ServletException, IOException {
        if (invite.isInitial()) {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            Proxy proxy = invite.getProxy();
            proxy.setRecordRoute(true);
            proxy.proxyTo(factory.createURI(invite.getHeader(CALLEE)));
        }
    }

    @Override
    protected void doRequest(SipServletRequest request) throws ServletException, IOException {
        if (request.getMethod().equals("INVITE")) {
            doInvite(request);
        } // what belongs to a call goes on by itself
    }
}
