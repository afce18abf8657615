package io.carillon.examples.restcall;

import io.carillon.examples.restcall.CallProgress.State;
import io.carillon.pojo.Attribute;
import io.carillon.pojo.Bye;
import io.carillon.pojo.ErrorResponse;
import io.carillon.pojo.Invite;
import io.carillon.pojo.SipHandler;
import io.carillon.pojo.SuccessResponse;
import java.io.IOException;
import java.util.Iterator;
import javax.servlet.ServletException;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;

/**
 * Third party call control, RFC 3725 flow I: the first phone is called without an offer, its offer
 * goes to the second phone, whose answer goes back in the ACK.
 */
@SipHandler
public class ThirdPartyCall {
    private static final String SECOND = "second";
    private static final String WAITING = "waiting";

    private final SipFactory factory;
    private final CallProgress progress;

    ThirdPartyCall(SipFactory factory, CallProgress progress) {
        this.factory = factory;
        this.progress = progress;
    }

    /** Calls the first phone. */
    void begin(SipApplicationSession call, String first, String second)
            throws ServletException, IOException {
        call.setAttribute(SECOND, second);
        factory.createRequest(call, "INVITE", second, first).send();
    }

    @Invite
    @SuccessResponse
    void answered(
            SipServletResponse response,
            SipApplicationSession call,
            @Attribute(value = WAITING, of = Attribute.Of.APPLICATION_SESSION)
                    SipServletResponse first)
            throws ServletException, IOException {
        if (first == null) {
            callSecond(response, call);
        } else {
            response.createAck().send();
            SipServletRequest ack = first.createAck();
            ack.setContent(response.getRawContent(), response.getContentType());
            ack.send();
            progress.is(State.CONNECTED, "");
        }
    }

    private void callSecond(SipServletResponse first, SipApplicationSession call)
            throws ServletException, IOException {
        call.setAttribute(WAITING, first);
        String second = (String) call.getAttribute(SECOND);
        SipServletRequest invite =
                factory.createRequest(call, "INVITE", first.getTo().getURI().toString(), second);
        invite.setContent(first.getRawContent(), first.getContentType());
        invite.send();
        progress.is(State.CALLING_SECOND, "");
    }

    @Invite
    @ErrorResponse
    void failed(
            SipServletResponse response,
            @Attribute(value = WAITING, of = Attribute.Of.APPLICATION_SESSION)
                    SipServletResponse first)
            throws IOException {
        progress.is(State.FAILED, response.getStatus() + " " + response.getReasonPhrase());
        if (first != null) {
            first.createAck().send(); // RFC 3725 section 4.1: the first party is let go
            first.getSession().createRequest("BYE").send();
        }
    }

    @Bye
    void ended(SipServletRequest bye, SipApplicationSession call) throws IOException {
        bye.createResponse(200).send();
        progress.is(State.ENDED, "hung up by a phone");
        hangUp(call, bye.getSession());
    }

    /** Ends the call from here. */
    void hangUp(SipApplicationSession call) throws IOException {
        progress.is(State.ENDED, "hung up by the client");
        hangUp(call, null);
    }

    private static void hangUp(SipApplicationSession call, SipSession gone) throws IOException {
        Iterator<?> all = call.getSessions("SIP");
        while (all.hasNext()) {
            SipSession session = (SipSession) all.next();
            if (session != gone
                    && session.isValid()
                    && session.getState() == SipSession.State.CONFIRMED) {
                session.createRequest("BYE").send();
            }
        }
    }
}
