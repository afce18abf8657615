package io.carillon.server.http;

import io.carillon.protection.http.UnreadBodies;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Checks who asks and answers with a page. Runs on threads of the HTTP side. */
final class AdminHandler extends Handler.Abstract {
    private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "::1", "[::1]");

    private final Map<String, AdminPage> pages;
    private final @Nullable AdminPage front;
    private volatile @Nullable Bearer authorization;
    private final boolean loopback;
    private final Set<Connector> notHere;

    /** The path of {@link #front}. */
    static final String FRONT = "/";

    /**
     * @param pages by path; that of {@link #FRONT} is shown where no application has the path
     * @param token that has to be brought, or null
     * @param loopback whether only this machine reaches us
     * @param notHere where there are no pages of ours
     */
    AdminHandler(
            Map<String, AdminPage> pages,
            @Nullable String token,
            boolean loopback,
            Set<Connector> notHere) {
        Map<String, AdminPage> others = new HashMap<>(pages);
        this.front = others.remove(FRONT);
        this.pages = Map.copyOf(others);
        this.authorization = bearer(token);
        this.loopback = loopback;
        this.notHere = Set.copyOf(notHere);
    }

    private static @Nullable Bearer bearer(@Nullable String token) {
        return token == null ? null : new Bearer("Bearer " + token);
    }

    /**
     * A header that has to be brought.
     *
     * @param header with the token
     */
    private record Bearer(String header) {
        boolean is(String given) {
            return MessageDigest.isEqual(
                    header.getBytes(StandardCharsets.UTF_8),
                    given.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** From now on this one has to be brought, or none. */
    void token(@Nullable String token) {
        authorization = bearer(token);
    }

    /**
     * The pages alone, to stand before applications: no page of theirs can be in the way, and they
     * are answered on the threads of connections.
     */
    Handler first() {
        return new Handler.Wrapper(this) {
            @Override
            public boolean handle(Request request, Response response, Callback callback)
                    throws Exception {
                return !notHere.contains(request.getConnectionMetaData().getConnector())
                        && pages.containsKey(Request.getPathInContext(request))
                        && super.handle(request, response, callback);
            }
        };
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        if (notHere.contains(request.getConnectionMetaData().getConnector())) {
            return answer(request, response, callback, HttpStatus.NOT_FOUND_404, "No such page.\n");
        }
        if (!request.getMethod().equals("GET")) {
            return answer(
                    request, response, callback, HttpStatus.METHOD_NOT_ALLOWED_405, "Only GET.\n");
        }
        // A page of somebody's, opened in a browser on this machine, may lead a foreign name to our
        // loopback address.
        if (loopback && !LOCAL_NAMES.contains(Request.getServerName(request))) {
            return answer(
                    request, response, callback, HttpStatus.FORBIDDEN_403, "Ask for localhost.\n");
        }
        if (!authorized(request)) {
            response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
            return answer(
                    request,
                    response,
                    callback,
                    HttpStatus.UNAUTHORIZED_401,
                    "The bearer token of http.token is needed.\n");
        }
        String path = Request.getPathInContext(request);
        AdminPage page = path.equals(FRONT) ? front : pages.get(path);
        if (page == null) {
            return answer(
                    request,
                    response,
                    callback,
                    HttpStatus.NOT_FOUND_404,
                    "Here is: " + String.join(", ", new TreeSet<>(pages.keySet())) + "\n");
        }
        UnreadBodies.beforeAnswer(request, response);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, page.contentType());
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        Content.Sink.write(response, true, page.text().get(), callback);
        return true;
    }

    private boolean authorized(Request request) {
        Bearer wanted = authorization;
        if (wanted == null) {
            return true;
        }
        String given = request.getHeaders().get(HttpHeader.AUTHORIZATION);
        return given != null && wanted.is(given);
    }

    private static boolean answer(
            Request request, Response response, Callback callback, int status, String text) {
        UnreadBodies.beforeAnswer(request, response);
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain;charset=utf-8");
        Content.Sink.write(response, true, text, callback);
        return true;
    }
}
