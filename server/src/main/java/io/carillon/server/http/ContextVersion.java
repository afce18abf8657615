package io.carillon.server.http;

import io.carillon.servlet.feature.http.WebPart;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * One version of an application's web context, with what it takes to have two of them at the same
 * path: a request in progress keeps its version alive, and a version knows its visitors. On threads
 * of HTTP requests; retired by the deploying thread.
 */
final class ContextVersion extends Handler.Wrapper {
    private final ConvergedContext context;
    private final WebPart application;
    private volatile boolean retiring;

    ContextVersion(ConvergedContext context, WebPart application) {
        super(context.getCoreContextHandler());
        this.context = context;
        this.application = application;
    }

    /** The application's name. */
    String application() {
        return application.name();
    }

    /** Whether somebody who opens the context's path sees a page. */
    boolean hasFirstPage() {
        return context.hasFirstPage();
    }

    /** HTTP sessions now. */
    int sessions() {
        return context.sessions().size();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!application.enter()) {
            return false; // destroyed: whoever has the path now is asked next
        }
        Request.addCompletionListener(request, failure -> completed());
        return super.handle(request, response, callback);
    }

    private void completed() {
        try {
            if (retiring) {
                context.sessions().endUnused();
            }
        } finally {
            application.leave();
        }
    }

    /** Out of service: HTTP sessions without calls end, now and whenever a request is completed. */
    void endUnusedSessions() {
        retiring = true;
        if (context.isStarted()) {
            context.sessions().endUnused();
        }
    }

    /**
     * Whether the request belongs to a session that began in this version: an HTTP session (Servlet
     * 4.0, 7.1), or an application session by its URL.
     */
    boolean owns(Request request) {
        if (!covers(request)) {
            return false;
        }
        ConvergedSessions sessions = context.sessions();
        return brought(request).stream().anyMatch(sessions::has)
                || sessions.named(request.getHttpURI().getQuery());
    }

    /** Is the request's path one of this context? */
    boolean covers(Request request) {
        String path = request.getHttpURI().getCanonicalPath();
        return path != null && inside(path, context.getContextPathEncoded());
    }

    /** Is one of the HTTP sessions that the request names here? */
    boolean has(Request request) {
        return brought(request).stream().anyMatch(context.sessions()::has);
    }

    /** See {@link ConvergedSessions#place}: of the first that the request brings. */
    boolean place(Request request, Consumer<@Nullable String> then) {
        List<String> ids = brought(request);
        return !ids.isEmpty() && context.sessions().place(ids.getFirst(), then);
    }

    /** Ids of HTTP sessions of this context's, as cookies and the path bring them. */
    List<String> brought(Request request) {
        ConvergedSessions sessions = context.sessions();
        List<String> ids = new ArrayList<>();
        String cookie = sessions.getSessionCookie();
        for (HttpCookie brought : Request.getCookies(request)) {
            if (brought.getName().equals(cookie)) {
                ids.add(brought.getValue());
            }
        }
        String inPath = inPath(request, sessions);
        if (inPath != null) {
            ids.add(inPath);
        }
        return ids;
    }

    private static boolean inside(String path, String context) {
        boolean begins = path.startsWith(context);
        boolean ends = path.length() == context.length();
        return context.equals("/") || (begins && (ends || path.charAt(context.length()) == '/'));
    }

    private static @Nullable String inPath(Request request, ConvergedSessions sessions) {
        String prefix = sessions.getSessionIdPathParameterNamePrefix();
        String path = request.getHttpURI().getPath();
        int start = prefix == null || path == null ? -1 : path.indexOf(prefix);
        if (prefix == null || path == null || start < 0) {
            return null;
        }
        int end = start + prefix.length();
        while (end < path.length() && ";/".indexOf(path.charAt(end)) < 0) {
            end++;
        }
        return path.substring(start + prefix.length(), end);
    }
}
