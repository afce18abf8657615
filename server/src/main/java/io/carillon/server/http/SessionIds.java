package io.carillon.server.http;

import io.carillon.server.nodes.OtherPages;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.session.DefaultSessionIdManager;
import org.eclipse.jetty.session.ManagedSession;
import org.eclipse.jetty.session.SessionManager;
import org.jspecify.annotations.Nullable;

/**
 * Ids of HTTP sessions, and who looks after the sessions of all web contexts. Jetty would look for
 * them among the parts that its server manages. Ours come and go while it runs and are not among
 * them: then a session that is over stays in its context's table, and one whose time is over never
 * ends. Any thread; bound: the web contexts that are started.
 */
final class SessionIds extends DefaultSessionIdManager {
    /** On the scavenger's thread, while it ends a session whose time is over. */
    private static final ThreadLocal<@Nullable Boolean> EXPIRING = new ThreadLocal<>();

    private static final String NODE = "node";
    private static final int MOST_DIGITS = 3;

    private final Set<SessionManager> started = ConcurrentHashMap.newKeySet();

    private final boolean ofCluster;

    private SessionIds(Server server, boolean ofCluster) {
        super(server);
        this.ofCluster = ofCluster;
    }

    /**
     * Of a server. Of a node of a cluster its name stands behind each id, in cookies and URLs, and
     * leads what comes to another node back to this one.
     *
     * @param others null: the server is alone
     */
    static SessionIds of(Server server, @Nullable OtherPages others) {
        SessionIds made = new SessionIds(server, others != null);
        if (others != null) {
            made.setWorkerName(NODE + others.self());
        }
        return made;
    }

    /**
     * The number of the node that has the session, by an id as visitors bring it.
     *
     * @return -1 where it names none
     */
    static int node(String brought) {
        int dot = brought.lastIndexOf('.');
        if (dot < 0 || !brought.startsWith(NODE, dot + 1)) {
            return -1;
        }
        String number = brought.substring(dot + 1 + NODE.length());
        return number.length() <= MOST_DIGITS
                        && !number.isEmpty()
                        && number.chars().allMatch(c -> c >= '0' && c <= '9')
                ? Integer.parseInt(number)
                : -1;
    }

    /** The id of a session as it stands in URLs. */
    String inUrls(ManagedSession session) {
        return ofCluster ? session.getExtendedId() : session.getId();
    }

    void add(SessionManager sessions) {
        started.add(sessions);
    }

    void remove(SessionManager sessions) {
        started.remove(sessions);
    }

    /**
     * Does this thread end sessions whose time is over? It has those of all applications to look
     * after, so it waits for none of them.
     */
    static boolean expiring() {
        return EXPIRING.get() != null;
    }

    @Override
    public void expireAll(String id) {
        EXPIRING.set(Boolean.TRUE);
        try {
            super.expireAll(id);
        } finally {
            EXPIRING.remove();
        }
    }

    @Override
    public Set<SessionManager> getSessionManagers() {
        return Set.copyOf(started);
    }
}
