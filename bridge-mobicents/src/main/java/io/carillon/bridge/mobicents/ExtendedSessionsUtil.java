package io.carillon.bridge.mobicents;

import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.SessionLookup;
import java.util.Map;
import java.util.Objects;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipSessionsUtil;
import org.jspecify.annotations.Nullable;
import org.mobicents.javax.servlet.sip.SipApplicationSessionAsynchronousWork;
import org.mobicents.javax.servlet.sip.SipSessionAsynchronousWork;

/** The members of Mobicents' sessions utility. Any thread. */
final class ExtendedSessionsUtil {
    private final SessionLookup plain;

    private ExtendedSessionsUtil(SessionLookup plain) {
        this.plain = plain;
    }

    static SipSessionsUtil over(SessionLookup plain) {
        ExtendedSessionsUtil own = new ExtendedSessionsUtil(plain);
        return Extension.over(
                plain,
                SipSessionsUtil.class,
                "org.mobicents.javax.servlet.sip.SipSessionsUtilExt",
                Map.of(
                        "getApplicationSessionById/2",
                                given -> plain.getApplicationSessionById((String) given[0]),
                        "getApplicationSessionByKey/3",
                                given ->
                                        plain.getApplicationSessionByKey(
                                                (String) given[0], (Boolean) given[1]),
                        "scheduleAsynchronousWork/2", own::schedule));
    }

    /** Work for a session that is not there, or not any more, never runs. */
    private @Nullable Object schedule(Object[] given) {
        String id = (String) Objects.requireNonNull(given[0], "id");
        Object work = Objects.requireNonNull(given[1], "work");
        if (work instanceof SipApplicationSessionAsynchronousWork ofApplication) {
            ApplicationSession session = find(id);
            if (session != null) {
                AsynchronousWork.schedule(
                        session, work, () -> ofApplication.doAsynchronousWork(session));
            }
        } else {
            scheduleInSession(id, (SipSessionAsynchronousWork) work);
        }
        return null;
    }

    /** The id of a session is that of its application session, a dot and a number. */
    private void scheduleInSession(String id, SipSessionAsynchronousWork work) {
        int dot = id.lastIndexOf('.');
        ApplicationSession parent = dot < 0 ? null : find(id.substring(0, dot));
        if (parent != null) {
            AsynchronousWork.schedule(
                    parent,
                    work,
                    () -> {
                        SipSession session = parent.getSipSession(id);
                        if (session != null) {
                            work.doAsynchronousWork(session);
                        }
                    });
        }
    }

    private @Nullable ApplicationSession find(String id) {
        return (ApplicationSession) plain.getApplicationSessionById(id);
    }
}
