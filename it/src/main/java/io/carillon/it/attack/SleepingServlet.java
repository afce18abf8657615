package io.carillon.it.attack;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;

/**
 * The application that {@link BusyCalls} attacks: its handlers sleep while more comes for their
 * call, and then end it. An INVITE is answered, and its ACK handled for as long as the parameter
 * {@value #MILLIS} says; a MESSAGE makes it call who is named in {@value #CALL}, and the first
 * provisional response is handled as long.
 */
public class SleepingServlet extends SipServlet {
    private static final long serialVersionUID = 1L;

    static final String MILLIS = "millis";
    static final String CALL = "X-Call";

    private void sleep(SipServletMessage message) {
        try {
            Thread.sleep(Long.parseLong(getServletContext().getInitParameter(MILLIS)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (message.getApplicationSession().isValid()) {
            message.getApplicationSession().invalidate();
        }
    }

    @Override
    protected void doInvite(SipServletRequest request) throws IOException {
        request.createResponse(SipServletResponse.SC_OK).send();
    }

    @Override
    protected void doAck(SipServletRequest ack) {
        sleep(ack);
    }

    @Override
    protected void doMessage(SipServletRequest request) throws ServletException, IOException {
        SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        factory.createRequest(
                        request.getApplicationSession(),
                        "INVITE",
                        request.getTo().getURI(),
                        factory.createURI(request.getHeader(CALL)))
                .send();
        request.createResponse(SipServletResponse.SC_OK).send();
    }

    @Override
    protected void doProvisionalResponse(SipServletResponse response) {
        sleep(response);
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        bye.createResponse(SipServletResponse.SC_OK).send();
    }
}
