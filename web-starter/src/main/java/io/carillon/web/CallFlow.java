package io.carillon.web;

import io.carillon.pojo.AnyMethod;
import io.carillon.pojo.Bye;
import io.carillon.pojo.ErrorResponse;
import io.carillon.pojo.InDialog;
import io.carillon.pojo.Invite;
import io.carillon.pojo.NonBlocking;
import io.carillon.pojo.OnTimer;
import io.carillon.pojo.RedirectResponse;
import io.carillon.pojo.Role;
import io.carillon.pojo.Roles;
import io.carillon.pojo.SessionDestroyed;
import io.carillon.pojo.SipHandler;
import io.carillon.pojo.Status;
import io.carillon.pojo.SuccessResponse;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import javax.servlet.ServletException;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TimerService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A call between the user's phone and somebody, set up by us: RFC 3725 flow I. The phone is called
 * without an offer, its offer goes to the other side, and the answer of that in the ACK to the
 * phone.
 */
@SipHandler
@NonBlocking
@Role(CallFlow.ROLE)
public class CallFlow {
    private static final Logger LOG = LoggerFactory.getLogger(CallFlow.class);
    static final String ROLE = "io.carillon.web.call";

    private static final String NO_ANSWER = "io.carillon.web.no-answer";
    private static final String TOO_LONG = "io.carillon.web.too-long";

    /** Of an application session: the INVITE of each side, and the phone's 200 that waits. */
    private static final String PHONE = "io.carillon.web.phone";

    private static final String OTHER = "io.carillon.web.other";
    private static final String OFFER = "io.carillon.web.offer";

    /** Of a SIP session: whose leg it is; a forked one inherits it. */
    private static final String LEG = "io.carillon.web.leg";

    private static final String PHONE_LEG = "phone";
    private static final String OTHER_LEG = "other";

    private final SipFactory factory;
    private final TimerService timers;
    private final WebProperties properties;
    private final EventStreams streams;
    private final Supplier<List<CallListener>> listeners;

    CallFlow(
            SipFactory factory,
            TimerService timers,
            WebProperties properties,
            EventStreams streams,
            Supplier<List<CallListener>> listeners) {
        this.factory = factory;
        this.timers = timers;
        this.properties = properties;
        this.streams = streams;
        this.listeners = listeners;
    }

    /** Calls the phone. In the call's turn. */
    void begin(SipApplicationSession session, WebCall call, SipURI phone)
            throws ServletException, IOException {
        // Not before the call does, whatever the application's own time-out is.
        session.setExpires(Math.toIntExact(properties.longestCall().toMinutes()) + 2);
        SipServletRequest invite =
                factory.createRequest(
                        session, "INVITE", factory.createURI(call.destination()), phone);
        Roles.give(invite.getSession(), ROLE);
        invite.getSession().setAttribute(LEG, PHONE_LEG);
        session.setAttribute(PHONE, invite);
        timers.createTimer(session, properties.noAnswer().toMillis(), false, NO_ANSWER);
        timers.createTimer(session, properties.longestCall().toMillis(), false, TOO_LONG);
        invite.send();
        streams.publish(call);
    }

    @Invite
    @SuccessResponse
    void answered(SipServletResponse response, SipApplicationSession session)
            throws ServletException, IOException {
        WebCall call = callOf(session);
        if (isPhone(response.getSession())) {
            phoneAnswered(response, session, call);
        } else {
            otherAnswered(response, session, call);
        }
    }

    private void phoneAnswered(
            SipServletResponse response, SipApplicationSession session, WebCall call)
            throws ServletException, IOException {
        if (response.getContentLength() <= 0) {
            end(session, EndReason.PHONE_UNREACHABLE); // RFC 3261 13.2.1: a 200 without an offer
            release(response);
            return;
        }
        if (!call.to(CallState.CALLING_PHONE, CallState.CALLING_OTHER)) {
            release(response); // hung up meanwhile
            return;
        }
        session.setAttribute(OFFER, response);
        SipServletRequest invite =
                factory.createRequest(
                        session,
                        "INVITE",
                        response.getTo().getURI(),
                        factory.createURI(call.destination()));
        Roles.give(invite.getSession(), ROLE);
        invite.getSession().setAttribute(LEG, OTHER_LEG);
        invite.setContent(response.getRawContent(), response.getContentType());
        session.setAttribute(OTHER, invite);
        cancelTimer(session, NO_ANSWER);
        timers.createTimer(session, properties.noAnswer().toMillis(), false, NO_ANSWER);
        invite.send();
        streams.publish(call);
    }

    private void otherAnswered(
            SipServletResponse response, SipApplicationSession session, WebCall call)
            throws IOException {
        SipServletResponse phone = (SipServletResponse) session.getAttribute(OFFER);
        response.createAck().send();
        if (!call.to(CallState.CALLING_OTHER, CallState.CONNECTED)) {
            response.getSession().createRequest("BYE").send();
            return;
        }
        cancelTimer(session, NO_ANSWER);
        SipServletRequest ack = phone.createAck();
        ack.setContent(response.getRawContent(), response.getContentType());
        ack.send();
        forget(session);
        streams.publish(call);
        for (CallListener listener : listeners.get()) {
            listener.connected(call, session);
        }
    }

    @Invite
    @RedirectResponse
    void redirected(SipApplicationSession session) throws IOException {
        failed(session, 480);
    }

    @Invite
    @ErrorResponse
    void refused(SipServletResponse response, SipApplicationSession session) throws IOException {
        failed(session, response.getStatus());
    }

    private void failed(SipApplicationSession session, int status) throws IOException {
        boolean phone = session.getAttribute(OFFER) == null;
        end(session, EndReason.of(status, phone));
    }

    @Bye
    void hungUp(SipServletRequest bye, SipApplicationSession session) throws IOException {
        bye.createResponse(SipServletResponse.SC_OK).send();
        end(
                session,
                isPhone(bye.getSession())
                        ? EndReason.HUNG_UP_BY_PHONE
                        : EndReason.HUNG_UP_BY_OTHER);
    }

    /** Hold, media changes: neither side's change goes to the other one. */
    @AnyMethod
    @InDialog
    int change(SipServletRequest request) {
        return switch (request.getMethod()) {
            case "INVITE", "UPDATE" -> SipServletResponse.SC_NOT_ACCEPTABLE_HERE;
            case "INFO", "MESSAGE", "OPTIONS", "PRACK" -> SipServletResponse.SC_OK;
            default -> SipServletResponse.SC_METHOD_NOT_ALLOWED;
        };
    }

    /** 1xx, and what comes to BYE and CANCEL. */
    @AnyMethod
    @Status("100-699")
    void others(SipServletResponse response) {}

    @OnTimer(NO_ANSWER)
    void noAnswer(SipApplicationSession session) throws IOException {
        end(
                session,
                session.getAttribute(OFFER) == null
                        ? EndReason.PHONE_NO_ANSWER
                        : EndReason.OTHER_NO_ANSWER);
    }

    @OnTimer(TOO_LONG)
    void tooLong(SipApplicationSession session) throws IOException {
        end(session, EndReason.TOO_LONG);
    }

    /** Ends the call from our side; false when it has ended already. In the call's turn. */
    boolean end(SipApplicationSession session, EndReason why) throws IOException {
        WebCall call = callOf(session);
        CallState before = call.end(why);
        if (before == null) {
            return false;
        }
        cancelTimer(session, NO_ANSWER);
        cancelTimer(session, TOO_LONG);
        try {
            tellTheLegs(session, before);
        } finally {
            tell(session, call);
        }
        return true;
    }

    private static void tellTheLegs(SipApplicationSession session, CallState before)
            throws IOException {
        switch (before) {
            case CALLING_PHONE -> cancel((SipServletRequest) session.getAttribute(PHONE));
            case CALLING_OTHER -> {
                cancel((SipServletRequest) session.getAttribute(OTHER));
                release((SipServletResponse) session.getAttribute(OFFER));
            }
            case CONNECTED -> byeToAll(session);
            case ENDED -> throw new AssertionError("an end before the end");
        }
    }

    private void tell(SipApplicationSession session, WebCall call) {
        streams.publish(call);
        for (CallListener listener : listeners.get()) {
            listener.ended(call, session);
        }
    }

    /** The application session ends by itself: nobody would tell the page otherwise. */
    @SessionDestroyed
    void gone(SipApplicationSession session) {
        if (session.getAttribute(WebCall.ATTRIBUTE) instanceof WebCall call) {
            gone(session, call);
        }
    }

    /** A call that cannot be told its end. */
    void gone(SipApplicationSession session, WebCall call) {
        if (call.end(EndReason.FAULT) != null) {
            tell(session, call);
        }
    }

    private static void cancel(@Nullable SipServletRequest invite) throws IOException {
        if (invite != null
                && invite.getSession().isValid()
                && invite.getSession().getState() != SipSession.State.CONFIRMED
                && invite.getSession().getState() != SipSession.State.TERMINATED) {
            try {
                invite.createCancel().send();
            } catch (IllegalStateException e) {
                // Its final response came first: a 2xx will be released, anything else is the end.
                LOG.debug("call {} needs no CANCEL: {}", invite.getCallId(), e.getMessage());
            }
        }
    }

    /** A 200 whose offer nobody takes: refused, confirmed, ended. */
    private static void release(@Nullable SipServletResponse success) throws IOException {
        if (success == null || !success.getSession().isValid()) {
            return;
        }
        SipServletRequest ack = success.createAck();
        if (success.getContentLength() > 0) {
            ack.setContent(
                    Descriptions.refusing(success.getRawContent()), success.getContentType());
        }
        ack.send();
        success.getSession().createRequest("BYE").send();
    }

    private static void bye(SipSession leg) throws IOException {
        try {
            leg.createRequest("BYE").send();
        } catch (IllegalStateException e) {
            // Its own BYE came since its state was asked for.
            LOG.debug("leg {} needs no BYE: {}", leg.getId(), e.getMessage());
        }
    }

    private static void byeToAll(SipApplicationSession session) throws IOException {
        var all = session.getSessions("SIP");
        while (all.hasNext()) {
            if (all.next() instanceof SipSession leg
                    && ROLE.equals(Roles.of(leg))
                    && leg.getState() == SipSession.State.CONFIRMED) {
                bye(leg);
            }
        }
    }

    /** A connected call needs the messages of its set-up no longer. */
    private static void forget(SipApplicationSession session) {
        session.removeAttribute(PHONE);
        session.removeAttribute(OTHER);
        session.removeAttribute(OFFER);
    }

    private static boolean isPhone(SipSession session) {
        return PHONE_LEG.equals(session.getAttribute(LEG));
    }

    private static void cancelTimer(SipApplicationSession session, String name) {
        for (ServletTimer timer : session.getTimers()) {
            if (name.equals(timer.getInfo())) {
                timer.cancel();
            }
        }
    }

    private static WebCall callOf(SipApplicationSession session) {
        return (WebCall) session.getAttribute(WebCall.ATTRIBUTE);
    }
}
