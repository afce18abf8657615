package io.carillon.pojo.current;

import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipErrorEvent;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;

/**
 * One message, timer, event or block of foreign work on its way through the handlers: what
 * arguments and scopes are taken from. Made for each; of the thread that it is bound to, and of
 * those that this one forks in a structured task scope.
 */
public final class Dispatch {
    private final @Nullable Object subject;
    private @Nullable SipSession session;
    private @Nullable SipApplicationSession applicationSession;
    private @Nullable String callId;

    private Dispatch(
            @Nullable Object subject,
            @Nullable SipSession session,
            @Nullable SipApplicationSession applicationSession) {
        this.subject = subject;
        this.session = session;
        this.applicationSession = applicationSession;
    }

    public static Dispatch of(SipServletMessage message) {
        return new Dispatch(message, null, null);
    }

    public static Dispatch of(ServletTimer timer) {
        return new Dispatch(timer, null, timer.getApplicationSession());
    }

    public static Dispatch of(SipErrorEvent event) {
        return new Dispatch(event, event.getRequest().getSession(), null);
    }

    public static Dispatch of(SipSession session) {
        return new Dispatch(null, session, null);
    }

    public static Dispatch of(SipApplicationSession session) {
        return new Dispatch(null, null, session);
    }

    public @Nullable SipServletMessage message() {
        return subject instanceof SipServletMessage message ? message : null;
    }

    public @Nullable SipServletRequest request() {
        return switch (subject) {
            case SipServletRequest request -> request;
            case SipServletResponse response -> response.getRequest();
            case SipErrorEvent event -> event.getRequest();
            case null, default -> null;
        };
    }

    public @Nullable SipServletResponse response() {
        return switch (subject) {
            case SipServletResponse response -> response;
            case SipErrorEvent event -> event.getResponse();
            case null, default -> null;
        };
    }

    public @Nullable ServletTimer timer() {
        return subject instanceof ServletTimer timer ? timer : null;
    }

    public @Nullable SipErrorEvent error() {
        return subject instanceof SipErrorEvent event ? event : null;
    }

    /** The session of the message; null for a timer or an event of an application session. */
    public @Nullable SipSession session() {
        SipSession known = session;
        if (known == null && subject instanceof SipServletMessage message) {
            known = message.getSession();
            session = known;
        }
        return known;
    }

    /** Its session already, for what is asked while the container makes that session. */
    public @Nullable SipSession sessionIfThere() {
        SipSession known = session;
        if (known == null && subject instanceof SipServletMessage message) {
            return message.getSession(false);
        }
        return known;
    }

    public SipApplicationSession applicationSession() {
        SipApplicationSession known = applicationSession;
        if (known == null) {
            if (session != null) {
                known = session.getApplicationSession();
            } else if (subject instanceof SipServletMessage message) {
                known = message.getApplicationSession();
            } else {
                throw new IllegalStateException("neither a session nor a message is known");
            }
            applicationSession = known;
        }
        return known;
    }

    /** The call that sessions belong to which are created in a block without a session. */
    public @Nullable String callId() {
        return callId;
    }

    public void callId(String id) {
        callId = id;
    }
}
