package io.carillon.servlet.kernel;

import io.carillon.servlet.app.ApplicationClassLoader;
import io.carillon.servlet.port.PageVisitor;
import io.carillon.servlet.threads.ApplicationThreads;
import io.carillon.servlet.turn.Turn;
import io.carillon.sip.hop.Hop;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which call the calling thread works for, as a line of the log says it. Made when somebody asks: a
 * call of which nothing is logged costs nothing.
 *
 * @param callId of the message at hand, else of a SIP session of the application session; empty
 *     where there is none
 * @param session id of the application session; empty outside of one
 * @param application its name
 * @param peer the neighbour that the message came from, as {@code udp:192.0.2.7:5060}; the visitor
 *     of a page; empty for a message of our own, a timer and a listener
 */
public record CallContext(String callId, String session, String application, String peer) {
    /** Null where the thread runs nothing of an application. Any thread. */
    public static @Nullable CallContext ofThread() {
        if (Turn.current() instanceof ApplicationSession session) {
            return of(session, session.host().threads().current());
        }
        PageVisitor visitor = PageVisitor.served();
        PageVisitor.Maker maker = visitor == null ? null : visitor.maker();
        if (visitor != null && maker != null) {
            return ofPage(visitor, maker);
        }
        String application = ApplicationClassLoader.ofThread();
        return application == null ? null : new CallContext("", "", application, "");
    }

    /** The application session that the calling thread works for; null for none. Any thread. */
    public static @Nullable ApplicationSession sessionOfThread() {
        if (Turn.current() instanceof ApplicationSession session) {
            return session;
        }
        PageVisitor visitor = PageVisitor.served();
        PageVisitor.Maker maker = visitor == null ? null : visitor.maker();
        return maker != null && maker.session() instanceof ApplicationSession session
                ? session
                : null;
    }

    /** The message that the calling thread handles; null for none. Any thread. */
    public static @Nullable ServletMessage messageOfThread() {
        return Turn.current() instanceof ApplicationSession session
                        && session.host().threads().current() instanceof ServletMessage message
                ? message
                : null;
    }

    private static CallContext of(
            ApplicationSession session, ApplicationThreads.@Nullable Work work) {
        ServletMessage message = work instanceof ServletMessage one ? one : null;
        return new CallContext(
                message == null ? callIdOf(session) : message.getCallId(),
                session.getId(),
                session.application().name(),
                message == null ? "" : peer(message.initiallyReceivedFrom()));
    }

    /** Not in the turn of the session: what its thread changes meanwhile is seen later. */
    private static CallContext ofPage(PageVisitor visitor, PageVisitor.Maker maker) {
        Turn turn = maker.session();
        ApplicationSession session = turn instanceof ApplicationSession own ? own : null;
        return new CallContext(
                session == null ? "" : callIdOf(session),
                session == null ? "" : session.getId(),
                maker.application(),
                visitor.address() == null ? "" : "http:" + visitor.address());
    }

    private static String callIdOf(ApplicationSession session) {
        List<ServletSession> sessions = session.sessions();
        String last = session.expiry.lastCallId;
        if (!sessions.isEmpty()) {
            return sessions.getFirst().getCallId();
        }
        return last == null ? "" : last;
    }

    private static String peer(@Nullable Hop hop) {
        if (hop == null) {
            return "";
        }
        String host = hop.remoteHost();
        return hop.transport().name().toLowerCase(Locale.ROOT)
                + ":"
                + (host.indexOf(':') >= 0 ? "[" + host + "]" : host)
                + ":"
                + hop.remote().getPort();
    }
}
