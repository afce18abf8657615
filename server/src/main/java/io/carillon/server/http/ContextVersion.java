package io.carillon.server.http;

import io.carillon.servlet.feature.http.WebPart;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

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
        String path = request.getHttpURI().getCanonicalPath();
        String own = context.getContextPathEncoded();
        if (path == null || !inside(path, own)) {
            return false;
        }
        ConvergedSessions sessions = context.sessions();
        String cookie = sessions.getSessionCookie();
        for (HttpCookie brought : Request.getCookies(request)) {
            if (brought.getName().equals(cookie) && sessions.has(brought.getValue())) {
                return true;
            }
        }
        return sessions.named(request.getHttpURI().getQuery()) || inPath(request, sessions);
    }

    private static boolean inside(String path, String context) {
        boolean begins = path.startsWith(context);
        boolean ends = path.length() == context.length();
        return context.equals("/") || (begins && (ends || path.charAt(context.length()) == '/'));
    }

    private static boolean inPath(Request request, ConvergedSessions sessions) {
        String prefix = sessions.getSessionIdPathParameterNamePrefix();
        String path = request.getHttpURI().getPath();
        int start = prefix == null || path == null ? -1 : path.indexOf(prefix);
        if (prefix == null || path == null || start < 0) {
            return false;
        }
        int end = start + prefix.length();
        while (end < path.length() && ";/".indexOf(path.charAt(end)) < 0) {
            end++;
        }
        return sessions.has(path.substring(start + prefix.length(), end));
    }
}
