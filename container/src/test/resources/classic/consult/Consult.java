package org.example.consult;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** A user agent that is transferred: it calls whom the REFER names and tells how that went. */
public class Consult extends SipServlet {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        request.createResponse(SipServletResponse.SC_OK).send();
    }

    @Override
    protected void doRefer(SipServletRequest refer) throws ServletException, IOException {
        SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        SipURI to = (SipURI) refer.getAddressHeader("Refer-To").getURI().clone();
        String replaces = to.getHeader("Replaces");
        to.removeHeader("Replaces");
        refer.createResponse(SipServletResponse.SC_ACCEPTED).send();
        tell(refer.getSession(), "active", "SIP/2.0 100 Trying");
        SipServletRequest invite = factory.createRequest(refer.getApplicationSession(), "INVITE",
                refer.getTo(), factory.createAddress(to));
        invite.setHeader("Referred-By", refer.getHeader("Referred-By"));
        if (replaces != null) {
            invite.setHeader("Replaces", replaces);
            invite.setHeader("Require", "replaces");
        }
        invite.getSession().setAttribute("referrer", refer.getSession());
        invite.send();
    }

    private static void tell(SipSession session, String state, String fragment) throws IOException {
        SipServletRequest notify = session.createRequest("NOTIFY");
        notify.setHeader("Event", "refer");
        notify.setHeader("Subscription-State", state);
        notify.setContent(fragment, "message/sipfrag");
        notify.send();
    }

    @Override
    protected void doSuccessResponse(SipServletResponse response) throws IOException {
        SipSession referrer = (SipSession) response.getSession().getAttribute("referrer");
        if (response.getMethod().equals("INVITE")) {
            response.createAck().send();
            tell(referrer, "terminated;reason=noresource",
                    "SIP/2.0 " + response.getStatus() + " " + response.getReasonPhrase());
        }
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        bye.createResponse(SipServletResponse.SC_OK).send();
    }
}
