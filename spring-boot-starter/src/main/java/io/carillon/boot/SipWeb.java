package io.carillon.boot;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.util.Optional;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipSessionsUtil;
import org.jspecify.annotations.Nullable;

/**
 * The application session of a web visitor: what pages and SIP handlers of one application share.
 * The visitor's HttpSession keeps its id. Any thread.
 */
public final class SipWeb {
    private static final String ID = "io.carillon.applicationSession";

    private final SipFactory factory;
    private final SipSessionsUtil sessions;

    SipWeb(SipFactory factory, SipSessionsUtil sessions) {
        this.factory = factory;
        this.sessions = sessions;
    }

    /** The visitor's application session, where it has one that is alive. */
    public Optional<SipApplicationSession> find(HttpServletRequest request) {
        HttpSession visitor = request.getSession(false);
        return Optional.ofNullable(visitor == null ? null : alive(visitor));
    }

    /**
     * The visitor's application session; a new one where there is none, or it has ended. A visitor
     * for whom there is no room gets no HttpSession either.
     */
    public SipApplicationSession of(HttpServletRequest request) {
        HttpSession visitor = request.getSession(false);
        SipApplicationSession known = visitor == null ? null : alive(visitor);
        if (known != null) {
            return known;
        }
        SipApplicationSession made = factory.createApplicationSession();
        boolean kept = false;
        try {
            request.getSession().setAttribute(ID, made.getId());
            kept = true;
        } finally {
            if (!kept) {
                made.invalidate();
            }
        }
        return made;
    }

    private @Nullable SipApplicationSession alive(HttpSession visitor) {
        if (!(visitor.getAttribute(ID) instanceof String id)) {
            return null;
        }
        SipApplicationSession found = sessions.getApplicationSessionById(id);
        return found != null && found.isValid() ? found : null;
    }
}
