package io.carillon.bench.micro;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.TooManyHopsException;
import javax.servlet.sip.UAMode;
import org.jspecify.annotations.Nullable;

/**
 * The application that is measured: a record-routing proxy when it is deployed as {@value #PROXY},
 * else a B2BUA.
 */
final class CallCostServlet extends SipServlet {
    static final String PROXY = "proxy";
    private static final long serialVersionUID = 1L;

    @Override
    protected void doInvite(SipServletRequest invite) throws ServletException, IOException {
        try {
            if (PROXY.equals(getServletName())) {
                Proxy proxy = invite.getProxy();
                proxy.setRecordRoute(true);
                proxy.setSupervised(false);
                proxy.proxyTo(invite.getRequestURI());
            } else {
                invite.getB2buaHelper().createRequest(invite, true, null).send();
            }
        } catch (TooManyHopsException e) {
            throw new ServletException("a call went in a circle", e);
        }
    }

    @Override
    protected void doAck(SipServletRequest ack) throws IOException {
        SipSession other = linked(ack);
        if (other == null) {
            return;
        }
        B2buaHelper helper = ack.getB2buaHelper();
        for (SipServletMessage waiting : helper.getPendingMessages(other, UAMode.UAC)) {
            if (waiting instanceof SipServletResponse response && response.getStatus() == 200) {
                response.createAck().send();
            }
        }
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        SipSession other = linked(bye);
        if (other != null) {
            bye.getB2buaHelper().createRequest(other, bye, null).send();
        }
    }

    @Override
    protected void doResponse(SipServletResponse response) throws IOException {
        if (response.getProxy() != null) {
            return;
        }
        SipServletRequest answered = response.getRequest();
        if (answered == null) {
            return;
        }
        SipServletRequest original = answered.getB2buaHelper().getLinkedSipServletRequest(answered);
        if (original == null || original.isCommitted()) {
            return;
        }
        SipServletResponse back = original.createResponse(response.getStatus());
        if (response.getContentLength() > 0) {
            back.setContent(response.getRawContent(), response.getContentType());
        }
        back.send();
    }

    /**
     * The other leg of a B2BUA's call; null in a proxied one, whose requests go on by themselves.
     */
    private static @Nullable SipSession linked(SipServletRequest request) throws IOException {
        try {
            return request.getProxy(false) == null
                    ? request.getB2buaHelper().getLinkedSession(request.getSession())
                    : null;
        } catch (TooManyHopsException e) {
            throw new IOException("a call went in a circle", e);
        }
    }
}
