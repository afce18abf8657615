package io.carillon.server.http;

import io.carillon.server.api.ApiHandler;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.StartOrder;
import io.carillon.servlet.feature.http.FrontEnd;
import io.carillon.servlet.feature.http.WebContext;
import io.carillon.servlet.feature.http.WebPart;
import io.carillon.servlet.feature.http.WebSide;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.servlet.ServletContext;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.eclipse.jetty.util.URIUtil;
import org.jspecify.annotations.Nullable;

/**
 * The web contexts of applications in one Jetty server. Contexts come and go by deploying threads;
 * requests are served meanwhile.
 */
final class JettyWebSide implements WebSide {
    private final Server server;
    private final ContextHandlerCollection contexts;
    private final OlderVersions older;
    private final FrontEnd frontEnd;
    private final Set<String> reserved;
    private final Function<String, @Nullable String> paths;

    /** Who serves a path now. */
    private final Map<String, ContextVersion> serving = new ConcurrentHashMap<>();

    /** Whose a path is, from the making of a context to its withdrawal; at most one per context. */
    private final Map<String, Claim> claims = new ConcurrentHashMap<>();

    /** Applications start at the same time: a path is claimed before, not looked for after. */
    private record Claim(String application, int contexts) {}

    /**
     * @param reserved first parts of paths that are the server's own, as {@code /status}
     * @param paths the configured path of an application, by its name
     * @param ids of HTTP sessions
     */
    JettyWebSide(
            Server server,
            ContextHandlerCollection contexts,
            OlderVersions older,
            FrontEnd frontEnd,
            Set<String> reserved,
            Function<String, @Nullable String> paths,
            SessionIds ids) {
        this.server = server;
        this.contexts = contexts;
        this.older = older;
        this.frontEnd = frontEnd;
        this.reserved = Set.copyOf(reserved);
        this.paths = paths;
        server.addBean(ids, true);
    }

    /** HTTP sessions now, of the contexts that are served. */
    int sessions() {
        int all = 0;
        for (ContextVersion one : serving.values()) {
            all += one.sessions();
        }
        return all;
    }

    /** The paths that are served now and that show a page to somebody who opens them. */
    List<String> pages() {
        TreeSet<String> out = new TreeSet<>();
        serving.forEach((path, version) -> {
            if (version.hasFirstPage()) {
                out.add(path);
            }
        });
        return List.copyOf(out);
    }

    /** Has an application here the path of that request? */
    boolean serves(Request request) {
        return version(request) != null;
    }

    /**
     * The number of the node that has the HTTP session which a request names.
     *
     * @return -1 where it names none, or one that is here
     */
    int nodeOf(Request request) {
        ContextVersion version = version(request);
        int node = -1;
        if (version != null && !version.has(request)) {
            for (String id : version.brought(request)) {
                int named = SessionIds.node(id);
                node = node < 0 ? named : node;
            }
        }
        return node;
    }

    /** See {@link ConvergedSessions#place}: of the HTTP session that a request names. */
    boolean place(Request request, Consumer<@Nullable String> then) {
        ContextVersion version = version(request);
        return version != null && version.place(request, then);
    }

    /** The longest path that covers the request's wins, as it does when it is served. */
    private @Nullable ContextVersion version(Request request) {
        ContextVersion found = null;
        int longest = -1;
        for (Map.Entry<String, ContextVersion> one : serving.entrySet()) {
            int length = one.getKey().length();
            if (length > longest && one.getValue().covers(request)) {
                found = one.getValue();
                longest = length;
            }
        }
        return found;
    }

    @Override
    public WebContext open(WebPart application) throws DeploymentException {
        String configured = paths.apply(application.name());
        String path = configured != null ? configured : "/" + application.name();
        String encoded = path.equals("/") ? path : String.valueOf(URIUtil.encodePath(path));
        if (reserved.contains(path) || path.startsWith(ApiHandler.ROOT + "/")) {
            throw new DeploymentException(
                    application.archive(),
                    0,
                    "http path " + path,
                    "is the server's own; set applications."
                            + application.name()
                            + ".http-path to another");
        }
        String owner = claim(encoded, application.name());
        if (!owner.equals(application.name())) {
            throw new DeploymentException(
                    application.archive(),
                    0,
                    "http path " + path,
                    "is application "
                            + owner
                            + "'s; set applications."
                            + application.name()
                            + ".http-path to another");
        }
        return new Context(application, new ConvergedContext(application, encoded, frontEnd));
    }

    /** Jetty reads, changes and writes its list: one at a time. */
    private void add(ContextVersion version) {
        synchronized (contexts) {
            contexts.addHandler(version);
        }
    }

    private void remove(ContextVersion version) {
        synchronized (contexts) {
            contexts.removeHandler(version);
        }
    }

    /** Whose the path is now. */
    private String claim(String path, String application) {
        Claim now =
                claims.compute(
                        path,
                        (p, before) ->
                                before == null
                                        ? new Claim(application, 1)
                                        : before.application().equals(application)
                                                ? new Claim(application, before.contexts() + 1)
                                                : before);
        return now.application();
    }

    private void unclaim(String path) {
        claims.computeIfPresent(
                path,
                (p, before) ->
                        before.contexts() == 1
                                ? null
                                : new Claim(before.application(), before.contexts() - 1));
    }

    /** One web context from its making to its end. Of the deploying thread. */
    private final class Context implements WebContext {
        private final WebPart application;
        private final ConvergedContext context;
        private final ContextVersion version;
        private boolean closed;
        private final AtomicBoolean claimed = new AtomicBoolean(true);

        Context(WebPart application, ConvergedContext context) {
            this.application = application;
            this.context = context;
            this.version = new ContextVersion(context, application);
        }

        @Override
        public ServletContext servletContext() {
            return context.getServletContext();
        }

        @Override
        public void start(StartOrder between) throws DeploymentException {
            context.order(between);
            version.setServer(server);
            try {
                version.start();
            } catch (Throwable e) { // whatever code of the application throws
                throw failure(e);
            }
            Throwable unavailable = context.getUnavailableException();
            if (unavailable != null) {
                throw failure(unavailable);
            }
        }

        private DeploymentException failure(Throwable error) {
            for (Throwable e = error; e != null; e = e.getCause()) {
                if (e instanceof DeploymentException known) {
                    return known;
                }
            }
            Throwable root = error;
            while (root.getCause() != null) {
                root = root.getCause();
            }
            return new DeploymentException(
                    application.archive(), 0, "HTTP part", "failed to start: " + root, error);
        }

        @Override
        public void serve() {
            ContextVersion before = serving.put(context.getContextPath(), version);
            if (before != null) {
                older.add(before); // first, so that no request of its sessions falls in between
            }
            add(version);
            if (before != null) {
                remove(before);
            }
        }

        private void letGo() {
            if (claimed.compareAndSet(true, false)) {
                unclaim(context.getContextPath());
            }
        }

        @Override
        public void withdraw() {
            letGo();
            serving.remove(context.getContextPath(), version);
            older.add(version);
            remove(version);
            version.endUnusedSessions();
        }

        @Override
        public void close(Runnable servletsGone) {
            if (closed) {
                return;
            }
            closed = true;
            letGo();
            serving.remove(context.getContextPath(), version);
            remove(version);
            older.remove(version);
            if (context.isStarted()) {
                context.sessions().endAll();
            }
            context.servletsGone(servletsGone);
            try {
                version.stop();
            } catch (Exception e) { // whatever code of the application throws
                throw new IllegalStateException("the HTTP part does not stop: " + e, e);
            } finally {
                version.destroy();
            }
        }
    }
}
