package org.example.callthrough;

import java.io.IOException;
import java.util.List;
import javax.servlet.ServletConfig;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** Every call goes to one desk, whose host and port stand in one parameter. */
public class CallThrough extends SipServlet {
    private SipFactory factory;

    @Override
    public void init(ServletConfig config) throws ServletException {
        super.init(config);
        factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
    }

    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        B2buaHelper helper = request.getB2buaHelper();
        helper.createResponseToOriginalRequest(request.getSession(), 100, "").send();
        SipServletRequest leg = helper.createRequest(request, true, null);
        SipURI desk = factory.createSipURI("desk", getServletContext().getInitParameter("desk"));
        leg.setRequestURI(desk);
        leg.setHeader("X-Desk", desk.getHost() + " " + desk.getPort());
        leg.send();
    }

    @Override
    protected void doResponse(SipServletResponse response) throws ServletException, IOException {
        SipServletRequest leg = response.getRequest();
        SipServletRequest first = leg.getB2buaHelper().getLinkedSipServletRequest(leg);
        SipServletResponse answer = first.createResponse(response.getStatus(), response.getReasonPhrase());
        if (response.getContentLength() > 0) {
            answer.setContent(response.getRawContent(), response.getContentType());
        }
        answer.send();
    }

    @Override
    protected void doAck(SipServletRequest ack) throws ServletException, IOException {
        B2buaHelper helper = ack.getB2buaHelper();
        SipSession peer = helper.getLinkedSession(ack.getSession());
        List<SipServletMessage> pending = helper.getPendingMessages(peer, UAMode.UAC);
        for (SipServletMessage message : pending) {
            if (message instanceof SipServletResponse) {
                ((SipServletResponse) message).createAck().send();
            }
        }
    }

    @Override
    protected void doBye(SipServletRequest bye) throws ServletException, IOException {
        B2buaHelper helper = bye.getB2buaHelper();
        helper.createRequest(helper.getLinkedSession(bye.getSession()), bye, null).send();
    }
}
