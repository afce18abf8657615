package org.example.ackwatch;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** Releases a call whose caller never acknowledged the answer. */
public class AckWatch extends SipServlet implements SipErrorListener {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        request.createResponse(SipServletResponse.SC_OK).send();
    }

    public void noAckReceived(SipErrorEvent event) {
        SipSession session = event.getRequest().getSession();
        try {
            SipServletRequest bye = session.createRequest("BYE");
            bye.setHeader("Warning", "399 10.0.0.1 \"no ACK to "
                    + event.getResponse().getStatus() + " in " + session.getState() + "\"");
            bye.send();
        } catch (IOException e) {
            log("BYE", e);
        }
    }

    public void noPrackReceived(SipErrorEvent event) {}
}
