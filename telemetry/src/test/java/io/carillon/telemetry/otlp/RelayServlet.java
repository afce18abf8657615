package io.carillon.telemetry.otlp;

import java.io.IOException;
import java.util.List;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TooManyHopsException;
import javax.servlet.sip.UAMode;

/** A B2BUA: the callee is the host that the user part names. Public for tests beside these. */
public class RelayServlet extends SipServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doInvite(SipServletRequest request) throws IOException {
        try {
            SipServletRequest leg = request.getB2buaHelper().createRequest(request, true, null);
            SipURI target = (SipURI) request.getRequestURI().clone();
            target.setHost(target.getUser());
            leg.setRequestURI(target);
            leg.send();
        } catch (TooManyHopsException e) {
            throw new IOException(e);
        }
    }

    @Override
    protected void doCancel(SipServletRequest cancel) throws IOException {
        B2buaHelper helper = cancel.getB2buaHelper();
        helper.createCancel(helper.getLinkedSession(cancel.getSession())).send();
    }

    @Override
    protected void doAck(SipServletRequest ack) throws IOException {
        SipSession other = ack.getB2buaHelper().getLinkedSession(ack.getSession());
        List<SipServletMessage> pending =
                ack.getB2buaHelper().getPendingMessages(other, UAMode.UAC);
        for (SipServletMessage message : pending) {
            if (message instanceof SipServletResponse response) {
                response.createAck().send();
            }
        }
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        SipSession other = bye.getB2buaHelper().getLinkedSession(bye.getSession());
        bye.getB2buaHelper().createRequest(other, bye, null).send();
        bye.createResponse(SipServletResponse.SC_OK).send();
    }

    @Override
    protected void doResponse(SipServletResponse response) throws IOException {
        B2buaHelper helper = response.getRequest().getB2buaHelper();
        SipServletRequest original = helper.getLinkedSipServletRequest(response.getRequest());
        if (original != null && !original.isCommitted()) {
            original.createResponse(response.getStatus(), response.getReasonPhrase()).send();
        }
    }
}
