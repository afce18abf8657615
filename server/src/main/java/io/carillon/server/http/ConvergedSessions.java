package io.carillon.server.http;

import io.carillon.servlet.feature.http.ConvergedSession;
import io.carillon.servlet.feature.http.FrontEnd;
import io.carillon.servlet.feature.http.HttpBinding;
import io.carillon.servlet.feature.http.WebSessions;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.port.NoRoom;
import io.carillon.servlet.port.PageVisitor;
import io.carillon.servlet.port.SessionShares;
import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.guard.Shares;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.servlet.DispatcherType;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import org.eclipse.jetty.ee8.nested.Request;
import org.eclipse.jetty.ee8.nested.SessionHandler;
import org.eclipse.jetty.session.DefaultSessionCache;
import org.eclipse.jetty.session.ManagedSession;
import org.eclipse.jetty.session.SessionData;
import org.eclipse.jetty.session.SessionManager;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP sessions of one web context; each is a {@link JettySession}. On threads of HTTP
 * requests, and on Jetty's scavenger when a session's time is over.
 */
final class ConvergedSessions extends SessionHandler implements JettySession.Home {
    /**
     * Of one context, and no more than there may be application sessions: visitors without cookies
     * must not fill the memory.
     */
    private static final int MAX_SESSIONS = 100_000;

    private static final String RETRY_AFTER_SECONDS = "5";

    /** The request that the thread serves: Jetty makes sessions without telling for whom. */
    private static final ThreadLocal<@Nullable Request> SERVED = new ThreadLocal<>();

    private final WebSessions applicationSessions;
    private final FrontEnd frontEnd;
    private final Supplier<ServletContext> context;
    private final Cache cache;
    private final int most;
    private final Shares visitors;

    ConvergedSessions(
            WebSessions applicationSessions, FrontEnd frontEnd, Supplier<ServletContext> context) {
        this.applicationSessions = applicationSessions;
        this.frontEnd = frontEnd;
        this.context = context;
        most = Math.min(MAX_SESSIONS, applicationSessions.most());
        visitors = applicationSessions.shares(most);
        cache = new Cache(getSessionManager(), new ConcurrentHashMap<>());
        cache.setSessionDataStore(new KeptData(applicationSessions, cache::owner));
        cache.setFlushOnResponseCommit(true);
        setSessionCache(cache);
        setHttpOnly(true);
        setSameSite(org.eclipse.jetty.http.HttpCookie.SameSite.LAX);
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        if (getSessionIdManager() instanceof SessionIds ids) {
            ids.add(getSessionManager());
        }
    }

    @Override
    protected void doStop() throws Exception {
        if (getSessionIdManager() instanceof SessionIds ids) {
            ids.remove(getSessionManager());
        }
        super.doStop();
    }

    /** HTTP sessions now. */
    int size() {
        return cache.size();
    }

    @Override
    public String idInUrls(ManagedSession session) {
        return getSessionIdManager() instanceof SessionIds ids
                ? ids.inUrls(session)
                : session.getId();
    }

    @Override
    public ServletContext context() {
        return context.get();
    }

    /** JSR 289, encodeURL: a request with such a URL belongs to the application session in it. */
    @Override
    public void doHandle(
            String target,
            Request baseRequest,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException, ServletException {
        Request before = SERVED.get();
        SERVED.set(baseRequest);
        try {
            if (baseRequest.getDispatcherType() == DispatcherType.REQUEST) {
                bind(baseRequest);
            }
            PageVisitor.<Exception>serve(
                    baseRequest.getRemoteAddr(),
                    new Making(applicationSessions, baseRequest),
                    () -> super.doHandle(target, baseRequest, request, response));
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            if (!forWantOfRoom(e) || response.isCommitted()) {
                throw thrown(e);
            }
            baseRequest.setHandled(true);
            response.setHeader("Retry-After", RETRY_AFTER_SECONDS);
            response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
        } finally {
            SERVED.set(before);
        }
    }

    private static ServletException thrown(Exception e) {
        if (e instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        return e instanceof ServletException known ? known : new ServletException(e);
    }

    private static boolean forWantOfRoom(Throwable error) {
        for (Throwable e = error; e != null; e = e.getCause()) {
            if (e instanceof NoRoom) {
                return true;
            }
        }
        return false;
    }

    /** Whom a session that is made now is for. */
    private static PageVisitor visitor() {
        Request served = SERVED.get();
        return PageVisitor.at(served == null ? null : served.getRemoteAddr());
    }

    private void bind(Request request) {
        ApplicationSession named = applicationSessions.encodedIn(request.getQueryString());
        HttpBinding binding = binding(request.getSession(named != null));
        if (binding == null) {
            return;
        }
        if (named != null) {
            binding.bind(named);
        }
        binding.accessed();
    }

    /** Whether there is a session of that id, as a cookie or a URL brought it. */
    boolean has(String extendedId) {
        return cache.has(getSessionIdManager().getId(extendedId));
    }

    /**
     * Asks to which partition the application session belongs that an HTTP session of another node
     * had. Does not wait.
     *
     * @param extendedId as a cookie or a URL brought it
     * @param then see {@link WebSessions.KeptSessions#place}
     * @return false where no other node's sessions are kept: {@code then} is not run
     */
    boolean place(String extendedId, Consumer<@Nullable String> then) {
        WebSessions.KeptSessions kept = applicationSessions.kept();
        if (kept != null) {
            kept.place(getSessionIdManager().getId(extendedId), then);
        }
        return kept != null;
    }

    /** Whether the query names an application session of this version's. */
    boolean named(@Nullable String query) {
        return applicationSessions.encodedIn(query) != null;
    }

    /** The version is gone. */
    void endAll() {
        cache.sessions().forEach(ConvergedSessions::end);
    }

    /** Another version has the path: sessions end that have neither a call nor a request here. */
    void endUnused() {
        for (ManagedSession session : cache.sessions()) {
            HttpBinding binding = binding(session.getApi());
            ApplicationSession owner = binding == null ? null : binding.owner();
            if (owner != null && owner.isValid()) {
                owner.lookWhatIsLeft(); // in its turn, where nothing of it can begin meanwhile
            } else if (session.getRequests() == 0) {
                end(session);
            }
        }
    }

    private static void end(ManagedSession session) {
        try {
            if (session.isValid()) {
                session.invalidate();
            }
        } catch (IllegalStateException alreadyOver) {
            // it ended by itself meanwhile, which is what is wanted
        }
    }

    private static @Nullable HttpBinding binding(@Nullable HttpSession session) {
        return session instanceof ConvergedSession converged ? converged.binding() : null;
    }

    /** For the log: what makes the page of that request. */
    private record Making(WebSessions sessions, Request request) implements PageVisitor.Maker {
        @Override
        public String application() {
            return sessions.application();
        }

        @Override
        public @Nullable ApplicationSession session() {
            HttpBinding binding = binding(request.getSession(false));
            return binding == null ? null : binding.owner();
        }
    }

    private final class Cache extends DefaultSessionCache {
        private final ConcurrentMap<String, ManagedSession> all;

        Cache(SessionManager manager, ConcurrentMap<String, ManagedSession> all) {
            super(manager, all);
            this.all = all;
        }

        boolean has(String id) {
            return all.containsKey(id);
        }

        int size() {
            return all.size();
        }

        /** The application session that the HTTP session of that id belongs to, or null. */
        @Nullable ApplicationSession owner(String id) {
            ManagedSession found = all.get(id);
            HttpBinding binding = found == null ? null : binding(found.getApi());
            return binding == null ? null : binding.owner();
        }

        List<ManagedSession> sessions() {
            return List.copyOf(all.values());
        }

        @Override
        public ManagedSession newSession(SessionData data) {
            int taken = all.size();
            PageVisitor visitor = visitor();
            int place =
                    visitor.source() == SessionShares.NOBODY
                            ? Shares.NONE
                            : visitors.place(visitor.source());
            if (taken >= most) {
                throw applicationSessions.refused("there are " + most + " HTTP sessions");
            }
            if (visitors.bind(taken) && visitors.full(place, taken)) {
                throw applicationSessions.refused("this visitor's share of the HTTP sessions");
            }
            visitors.take(place, 1);
            Bound made = new Bound(getSessionManager(), data, visitor, place);
            if (data instanceof KeptData.Read read && read.owner != null) {
                ApplicationSession owner = applicationSessions.known(read.owner);
                if (owner != null) {
                    made.shown.binding().bind(owner);
                }
            }
            return made;
        }
    }

    /** A session of Jetty's that shows itself as a converged one. */
    private final class Bound extends ManagedSession {
        private final JettySession shown;

        /** Its place among the visitors; given back once. */
        private final AtomicInteger place;

        Bound(SessionManager manager, SessionData data, PageVisitor visitor, int place) {
            super(manager, data);
            this.place = new AtomicInteger(place);
            shown =
                    new JettySession(
                            this, ConvergedSessions.this, applicationSessions, frontEnd, visitor);
        }

        @Override
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // Jetty's signature
        public <T extends API> T getApi() {
            return (T) shown;
        }

        /**
         * In the turn of the application session, where it has one: listeners run in it, and this
         * session's lock is never taken by somebody who waits for the turn.
         */
        @Override
        public void invalidate() {
            ApplicationSession owner = shown.binding().owner();
            if (owner == null || !isValid()) {
                super.invalidate(); // says so where it is over already
            } else if (SessionIds.expiring()) {
                owner.submitLater(TurnTask.of(this::endNow)); // its handler may sleep for long
            } else {
                owner.inTurn(this::endNow); // later, where this thread must not wait for the turn
            }
        }

        private void endNow() {
            if (isValid()) { // else it ended while this waited
                super.invalidate();
            }
        }

        @Override
        public void finishInvalidate() {
            super.finishInvalidate();
            visitors.giveBack(place.getAndSet(Shares.NONE), 1);
            shown.binding().ended();
        }
    }
}
