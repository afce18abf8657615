package ${package};

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;

/** Answers calls, and lets the caller hang up. */
public class HelloServlet extends SipServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doInvite(SipServletRequest invite) throws ServletException, IOException {
        invite.createResponse(200).send();
    }

    @Override
    protected void doBye(SipServletRequest bye) throws ServletException, IOException {
        bye.createResponse(200).send();
    }
}
