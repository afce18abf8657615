package io.carillon.servlet.memory;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;

/** A record-routing proxy, as an author would write it. */
final class Forwarding extends SipServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        if (request.isInitial()) {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            Proxy proxy = request.getProxy();
            proxy.setRecordRoute(true);
            proxy.setSupervised(false);
            proxy.proxyTo(factory.createURI("sip:callee@10.0.0.2:5060"));
        }
    }

    @Override
    protected void doAck(SipServletRequest request) {}

    @Override
    protected void doBye(SipServletRequest request) {}
}
