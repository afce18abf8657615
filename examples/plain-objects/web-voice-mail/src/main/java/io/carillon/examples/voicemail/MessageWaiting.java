package io.carillon.examples.voicemail;

import io.carillon.pojo.Body;
import io.carillon.pojo.ErrorResponse;
import io.carillon.pojo.FinalResponse;
import io.carillon.pojo.Header;
import io.carillon.pojo.InDialog;
import io.carillon.pojo.NonBlocking;
import io.carillon.pojo.Notify;
import io.carillon.pojo.Role;
import io.carillon.pojo.Roles;
import io.carillon.pojo.SipHandler;
import io.carillon.pojo.Subscribe;
import io.carillon.pojo.WithHeader;
import io.carillon.web.CallListener;
import io.carillon.web.EventStreams;
import io.carillon.web.WebCall;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.Optional;
import javax.servlet.ServletException;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;

/**
 * While a call to the voice mail lasts, its state is subscribed to (RFC 3842) and shown on the
 * user's pages.
 */
@SipHandler
@NonBlocking
@Role(MessageWaiting.ROLE)
public class MessageWaiting implements CallListener {
    static final String ROLE = "message-waiting";

    private static final String HOUR = "3600";

    /** What a page gets. */
    record Messages(String call, int fresh, int old, boolean available) {}

    private final SipFactory factory;
    private final EventStreams pages;

    MessageWaiting(SipFactory factory, EventStreams pages) {
        this.factory = factory;
        this.pages = pages;
    }

    @Override
    public void connected(WebCall call, SipApplicationSession session) {
        try {
            SipServletRequest subscribe =
                    factory.createRequest(
                            session,
                            "SUBSCRIBE",
                            call.user().startsWith("sip:")
                                    ? factory.createURI(call.user())
                                    : factory.createSipURI(call.user(), "web-voice-mail.invalid"),
                            factory.createURI(call.destination()));
            subscribe.setHeader("Event", "message-summary");
            subscribe.setHeader("Accept", "application/simple-message-summary");
            subscribe.setHeader("Expires", HOUR);
            Roles.give(subscribe.getSession(), ROLE);
            subscribe.send();
        } catch (ServletException | IOException e) {
            throw new IllegalStateException("the voice mail cannot be subscribed to", e);
        }
    }

    @Notify
    @InDialog
    @WithHeader("Event: message-summary")
    int notified(
            SipApplicationSession session,
            @Header("Subscription-State") String state,
            @Body(type = "application/simple-message-summary") Optional<String> body) {
        body.ifPresent(text -> {
            MessageSummary summary = MessageSummary.parse(text);
            show(session, summary.fresh(), summary.old(), true);
        });
        return SipServletResponse.SC_OK;
    }

    @Subscribe
    @ErrorResponse
    void refused(SipServletResponse response, SipApplicationSession session) {
        show(session, 0, 0, false);
    }

    @Subscribe
    @FinalResponse
    void subscribed(SipServletResponse response) {}

    private void show(SipApplicationSession session, int fresh, int old, boolean available) {
        if (session.getAttribute(WebCall.ATTRIBUTE) instanceof WebCall call) {
            pages.publish(call.user(), "messages", new Messages(call.id(), fresh, old, available));
        }
    }

    @Override
    public void ended(WebCall call, SipApplicationSession session) {
        Iterator<?> all = session.getSessions("SIP");
        while (all.hasNext()) {
            if (all.next() instanceof SipSession subscription
                    && ROLE.equals(Roles.of(subscription))
                    && subscription.getState() != SipSession.State.INITIAL
                    && subscription.getState() != SipSession.State.TERMINATED) {
                unsubscribe(subscription);
            }
        }
    }

    /** RFC 6665 section 4.1.2.3: a SUBSCRIBE with an Expires of 0. */
    private static void unsubscribe(SipSession subscription) {
        try {
            SipServletRequest last = subscription.createRequest("SUBSCRIBE");
            last.setHeader("Event", "message-summary");
            last.setHeader("Accept", "application/simple-message-summary");
            last.setHeader("Expires", "0");
            last.send();
        } catch (IOException e) {
            throw new UncheckedIOException("the subscription cannot be ended", e);
        }
    }
}
