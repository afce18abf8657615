package io.carillon.pojo.engine;

import io.carillon.pojo.Call;
import io.carillon.pojo.current.Current;
import io.carillon.pojo.current.Dispatch;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;

/** Which SIP sessions make up a call: each carries the call's id as an attribute. Stateless. */
final class Calls {
    /** Of a SIP session: the id of its call, which is the id of the first session of it. */
    static final String ID = "io.carillon.pojo.call";

    private record Marked(SipSession session, String id) implements Call {
        @Override
        public List<SipSession> sessions() {
            return members(session.getApplicationSession(), id);
        }

        @Override
        public void join(SipSession other) {
            String mine = session.getApplicationSession().getId();
            if (!other.getApplicationSession().getId().equals(mine)) {
                throw new IllegalArgumentException(
                        "session " + other.getId() + " is of another application session");
            }
            other.setAttribute(ID, id);
        }
    }

    private Calls() {}

    static Call of(SipSession session) {
        return new Marked(session, idOf(session));
    }

    /** A session without a mark begins a call. */
    static String idOf(SipSession session) {
        if (session.getAttribute(ID) instanceof String id) {
            return id;
        }
        String own = session.getId();
        session.setAttribute(ID, own);
        return own;
    }

    /** Marks a session that begins. */
    static void created(SipSession session) {
        if (session.getAttribute(ID) == null) {
            String inherited = inherited(session);
            session.setAttribute(ID, inherited == null ? session.getId() : inherited);
        }
    }

    /** The call that is handled just now, where the session begins because of it. */
    private static @Nullable String inherited(SipSession session) {
        if (!Current.isBound()) {
            return null;
        }
        Dispatch dispatch = Current.dispatch();
        String home = session.getApplicationSession().getId();
        if (!dispatch.applicationSession().getId().equals(home)) {
            return null;
        }
        SipSession handled = dispatch.sessionIfThere();
        if (handled != null) {
            return handled.getId().equals(session.getId()) ? null : idOf(handled);
        }
        if (dispatch.message() != null) {
            return null; // the session of that message, made on first use
        }
        String id = dispatch.callId();
        if (id == null) {
            id = session.getId();
            dispatch.callId(id);
        }
        return id;
    }

    static List<SipSession> members(SipApplicationSession application, String id) {
        List<SipSession> found = new ArrayList<>();
        Iterator<?> all = application.getSessions("SIP");
        while (all.hasNext()) {
            if (all.next() instanceof SipSession session
                    && session.isValid()
                    && id.equals(session.getAttribute(ID))) {
                found.add(session);
            }
        }
        return found;
    }

    /** Is this session, which is about to end, the only one that is left of its call? */
    static boolean isLast(SipSession session, String id) {
        for (SipSession member : members(session.getApplicationSession(), id)) {
            if (!member.getId().equals(session.getId())) {
                return false;
            }
        }
        return true;
    }
}
