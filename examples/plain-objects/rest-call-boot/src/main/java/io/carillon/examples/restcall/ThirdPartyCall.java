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
import javax.servlet.sip.SipURI;

/**
 * Third party call control, RFC 3725 flow I: the first phone is called without an offer, its offer
 * goes to the second phone, whose answer goes back in the ACK.
 */
@SipHandler
public class ThirdPartyCall {
    private static final String SECOND = "second";
    private static final String WAITING = "waiting";
    private static final String INVITE = "invite";

    private final SipFactory factory;
    private final CallProgress progress;

    ThirdPartyCall(SipFactory factory, CallProgress progress) {
        this.factory = factory;
        this.progress = progress;
    }

    /** Calls the first phone. */
    void begin(SipApplicationSession call, SipURI first, SipURI second)
            throws ServletException, IOException {
        call.setAttribute(SECOND, second.toString());
        ring(factory.createRequest(call, "INVITE", second, first));
    }

    /** Its INVITE is kept, as that is what a CANCEL is made of. */
    private static void ring(SipServletRequest invite) throws IOException {
        invite.getSession().setAttribute(INVITE, invite);
        invite.send();
    }

    @Invite
    @SuccessResponse
    void answered(
            SipServletResponse response,
            SipApplicationSession call,
            @Attribute(value = WAITING, of = Attribute.Of.APPLICATION_SESSION)
                    SipServletResponse first)
            throws ServletException, IOException {
        if (progress.isOver()) { // hung up before this answer came
            release(response);
        } else if (first == null) {
            callSecond(response, call);
        } else {
            response.createAck().send();
            SipServletRequest ack = first.createAck();
            ack.setContent(response.getRawContent(), response.getContentType());
            ack.send();
            call.removeAttribute(WAITING);
            progress.is(State.CONNECTED, "");
        }
    }

    private void callSecond(SipServletResponse first, SipApplicationSession call)
            throws ServletException, IOException {
        call.setAttribute(WAITING, first);
        SipServletRequest invite =
                factory.createRequest(
                        call,
                        "INVITE",
                        first.getTo().getURI(),
                        factory.createURI((String) call.getAttribute(SECOND)));
        invite.setContent(first.getRawContent(), first.getContentType());
        ring(invite);
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
            release(first); // RFC 3725 section 4.1: the first party is let go
        }
    }

    private static void release(SipServletResponse success) throws IOException {
        success.createAck().send();
        success.getSession().createRequest("BYE").send();
    }

    @Bye
    void ended(SipServletRequest bye, SipApplicationSession call) throws IOException {
        bye.createResponse(200).send();
        progress.is(State.ENDED, "hung up by a phone");
        hangUp(call, bye.getSession());
    }

    /** Ends the call from here. In its turn. */
    void hangUp(SipApplicationSession call) throws IOException {
        if (progress.is(State.ENDED, "hung up by the client")) {
            hangUp(call, null);
        }
    }

    private static void hangUp(SipApplicationSession call, SipSession gone) throws IOException {
        SipServletResponse waiting = (SipServletResponse) call.getAttribute(WAITING);
        call.removeAttribute(WAITING);
        Iterator<?> all = call.getSessions("SIP");
        while (all.hasNext()) {
            SipSession session = (SipSession) all.next();
            if (session == gone || !session.isValid()) {
                continue;
            }
            if (waiting != null && session == waiting.getSession()) {
                release(waiting);
            } else if (session.getState() == SipSession.State.CONFIRMED) {
                session.createRequest("BYE").send();
            } else if (session.getState() != SipSession.State.TERMINATED) {
                ((SipServletRequest) session.getAttribute(INVITE)).createCancel().send();
            }
        }
    }
}
