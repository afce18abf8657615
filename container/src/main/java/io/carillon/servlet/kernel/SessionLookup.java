package io.carillon.servlet.kernel;

import io.carillon.servlet.app.Application;
import java.util.Locale;
import java.util.Objects;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipSessionsUtil;
import javax.servlet.sip.ar.SipTargetedRequestType;
import org.jspecify.annotations.Nullable;

/**
 * Finds sessions of one application, those that an older version of it still holds included: a key
 * or an id names one call, whichever version asks. Any thread.
 */
public final class SessionLookup implements SipSessionsUtil {
    private final SessionTables tables;
    private final NewSessions newSessions;
    private final Application application;

    public SessionLookup(SessionTables tables, NewSessions newSessions, Application application) {
        this.tables = tables;
        this.newSessions = newSessions;
        this.application = application;
    }

    @Override
    public @Nullable SipApplicationSession getApplicationSessionById(String id) {
        ApplicationSession found = find(Objects.requireNonNull(id, "id"));
        return found != null && found.application().sameAs(application) ? found : null;
    }

    /** Here, or brought here from its record. */
    private @Nullable ApplicationSession find(String id) {
        ApplicationSession found = tables.find(id);
        AbsentSessions absent =
                found == null ? newSessions.host().parts().get(AbsentSessions.SLOT) : null;
        if (absent != null) {
            absent.await(id);
            found = tables.find(id);
        }
        return found;
    }

    @Override
    public @Nullable SipApplicationSession getApplicationSessionByKey(String key, boolean create) {
        Objects.requireNonNull(key, "key");
        if (create) {
            find(SessionTables.keyedId(application, key));
            ApplicationSession found = newSessions.keyed(application, key);
            found.inTurn(found::announce); // somebody else may have it already
            return found;
        }
        return getApplicationSessionById(SessionTables.keyedId(application, key));
    }

    @Override
    public @Nullable SipSession getCorrespondingSipSession(SipSession session, String headerName) {
        Objects.requireNonNull(headerName, "headerName");
        if (!(Objects.requireNonNull(session, "session") instanceof ServletSession own)) {
            throw new IllegalArgumentException("not a session of this container: " + session);
        }
        own.parent().enterNow();
        try {
            return switch (headerName.toLowerCase(Locale.ROOT)) {
                case "join" -> CorrespondingSessions.of(own, SipTargetedRequestType.JOIN);
                case "replaces" -> CorrespondingSessions.of(own, SipTargetedRequestType.REPLACES);
                default -> null;
            };
        } finally {
            own.parent().exit();
        }
    }
}
