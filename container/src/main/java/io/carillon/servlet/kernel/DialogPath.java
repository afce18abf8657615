package io.carillon.servlet.kernel;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The proxies of ours on one dialog, as {@link SessionTables} holds them: a session, or an array of
 * sessions in the order of their depth. Values are never changed. Pure functions.
 */
final class DialogPath {
    /**
     * More of us a request does not visit: RFC 3261 8.1.1.6, "SHOULD be 70" for its Max-Forwards. A
     * caller and a callee of one mind could put ever new calls on one dialog.
     */
    static final int MOST = 70;

    private DialogPath() {}

    private static List<ServletSession> list(@Nullable Object held) {
        if (held == null) {
            return List.of();
        }
        return held instanceof ServletSession one ? List.of(one) : List.of((ServletSession[]) held);
    }

    /** Equal depths: one that comes later is nearer to the caller, as its answer passed later. */
    static Object with(@Nullable Object held, ServletSession session) {
        List<ServletSession> all = new ArrayList<>(list(held));
        if (all.size() < MOST && !all.contains(session)) {
            int at = 0;
            while (at < all.size() && all.get(at).path().depth() < session.path().depth()) {
                at++;
            }
            all.add(at, session);
        }
        return value(all);
    }

    static boolean has(@Nullable Object held, ServletSession session) {
        return list(held).contains(session);
    }

    static @Nullable Object without(Object held, ServletSession session) {
        List<ServletSession> all = new ArrayList<>(list(held));
        all.remove(session);
        return all.isEmpty() ? null : value(all);
    }

    private static Object value(List<ServletSession> all) {
        return all.size() == 1 ? all.getFirst() : all.toArray(new ServletSession[0]);
    }

    /**
     * Where a request from the network comes in: at the one of that depth, else at the side that it
     * comes from. Those behind the first of a chain got the dialog from the one before, inside this
     * server: nothing gets in between from the network, whatever routes of ours its sender names or
     * leaves out.
     */
    static @Nullable ServletSession first(@Nullable Object held, int depth, boolean fromCaller) {
        List<ServletSession> all = list(held);
        if (all.isEmpty()) {
            return null;
        }
        int at = 0;
        while (at < all.size() && all.get(at).path().depth() != depth) {
            at++;
        }
        if (at == all.size()) {
            return fromCaller ? all.getFirst() : all.getLast();
        }
        while (fromCaller && at > 0 && all.get(at).path().depth() > 0) {
            at--;
        }
        while (!fromCaller && at + 1 < all.size() && all.get(at + 1).path().depth() > 0) {
            at++;
        }
        return all.get(at);
    }

    /** Towards the callee. */
    static @Nullable ServletSession behind(@Nullable Object held, int depth) {
        for (ServletSession session : list(held)) {
            if (session.path().depth() > depth) {
                return session;
            }
        }
        return null;
    }

    /** Towards the caller. */
    static @Nullable ServletSession before(@Nullable Object held, int depth) {
        for (ServletSession session : list(held).reversed()) {
            if (session.path().depth() < depth) {
                return session;
            }
        }
        return null;
    }
}
