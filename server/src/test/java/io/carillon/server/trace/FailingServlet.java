package io.carillon.server.trace;

import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;

/** Throws at every INVITE. */
public final class FailingServlet extends SipServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doInvite(SipServletRequest request) {
        throw new IllegalStateException("on purpose");
    }
}
