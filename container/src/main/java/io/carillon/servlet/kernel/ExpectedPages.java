package io.carillon.servlet.kernel;

import java.util.List;
import java.util.Set;

/**
 * HTTP sessions of an application session that was taken over: those that were at the node before,
 * and that their next requests bring here. It waits for them, and is not ready to end. Stateless.
 */
public final class ExpectedPages {
    private ExpectedPages() {}

    /** With the turn held. */
    static void expect(ApplicationSession session, Set<String> ids) {
        if (!ids.isEmpty()) {
            session.http = HttpChildren.toFill(session.http);
            session.http.expect(ids);
        }
    }

    /** Their ids; any thread. */
    public static List<String> of(ApplicationSession session) {
        return session.http().expected();
    }

    /** That one is over; with the turn held. */
    public static void over(ApplicationSession session, String id) {
        session.http().expectNot(id);
        session.mayBeReady();
    }
}
