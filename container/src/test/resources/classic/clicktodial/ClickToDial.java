package org.example.clicktodial;

import java.io.IOException;
import javax.servlet.ServletConfig;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** Calls two phones and connects them: both legs are ours. The trigger is a MESSAGE. */
public class ClickToDial extends SipServlet {
    private SipFactory factory;

    @Override
    public void init(ServletConfig config) throws ServletException {
        super.init(config);
        factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
    }

    @Override
    protected void doMessage(SipServletRequest click) throws ServletException, IOException {
        String[] both = ((String) click.getContent()).trim().split(" ");
        click.createResponse(SipServletResponse.SC_ACCEPTED).send();
        SipApplicationSession call = factory.createApplicationSession();
        call.setAttribute("second", both[1]);
        SipServletRequest invite = factory.createRequest(call, "INVITE",
                factory.createSipURI("click", "10.0.0.1:5060"), factory.createSipURI("one", both[0]));
        invite.getSession().setAttribute("leg", "first");
        invite.send();
    }

    @Override
    protected void doSuccessResponse(SipServletResponse response) throws ServletException, IOException {
        if (!response.getMethod().equals("INVITE")) {
            return;
        }
        SipSession session = response.getSession();
        SipApplicationSession call = response.getApplicationSession();
        if (session.getAttribute("leg").equals("second")) {
            call.setAttribute("answered", response);
            SipSession first = (SipSession) session.getAttribute("other");
            SipServletRequest again = first.createRequest("INVITE");
            again.setContent(response.getRawContent(), response.getContentType());
            again.send();
        } else if (call.getAttribute("answered") == null) {
            SipServletRequest ack = response.createAck();
            ack.setContent("v=0\r\nc=IN IP4 0.0.0.0\r\n", "application/sdp");
            ack.send();
            SipServletRequest invite = factory.createRequest(call, "INVITE",
                    factory.createSipURI("click", "10.0.0.1:5060"),
                    factory.createSipURI("two", (String) call.getAttribute("second")));
            invite.getSession().setAttribute("leg", "second");
            invite.getSession().setAttribute("other", session);
            session.setAttribute("other", invite.getSession());
            invite.send();
        } else {
            response.createAck().send();
            SipServletRequest ack = ((SipServletResponse) call.getAttribute("answered")).createAck();
            ack.setContent(response.getRawContent(), response.getContentType());
            ack.send();
        }
    }

    @Override
    protected void doErrorResponse(SipServletResponse response) throws IOException {
        SipSession other = (SipSession) response.getSession().getAttribute("other");
        if (other != null && other.isValid()) {
            SipServletRequest bye = other.createRequest("BYE");
            bye.setHeader("Reason", "SIP;cause=" + response.getStatus());
            bye.send();
        }
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        bye.createResponse(SipServletResponse.SC_OK).send();
        SipSession other = (SipSession) bye.getSession().getAttribute("other");
        other.createRequest("BYE").send();
    }
}
