package io.carillon.server.api;

import io.carillon.protection.http.HttpSource;
import io.carillon.sip.guard.SourceKey;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * What a request says of who sends it.
 *
 * @param address where it comes from, in digits
 * @param source whose guesses are counted together: an address, or a network of IPv6
 * @param secure by TLS
 * @param bearer a token; null: none
 * @param session the cookie of a session; null: none
 * @param browser the cookie of a browser that has logged in before; null: none
 * @param away the cookie of a browser that was sent to an issuer; null: none
 * @param csrf that goes with the session; null: none
 * @param site what the browser says of whose page asks; null: nothing
 */
record Visitor(
        String address,
        String source,
        boolean secure,
        @Nullable String bearer,
        @Nullable String session,
        @Nullable String browser,
        @Nullable String away,
        @Nullable String csrf,
        @Nullable String site) {
    private static final String BEARER = "bearer ";

    static Visitor of(Request request) {
        boolean secure = request.isSecure();
        String authorization = request.getHeaders().get(HttpHeader.AUTHORIZATION);
        return new Visitor(
                Request.getRemoteAddr(request),
                SourceKey.text(HttpSource.of(request)),
                secure,
                authorization != null
                                && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
                        ? authorization.substring(BEARER.length()).strip()
                        : null,
                cookie(request, Cookies.session(secure)),
                cookie(request, Cookies.browser(secure)),
                cookie(request, Cookies.away(secure)),
                request.getHeaders().get(Cookies.CSRF_HEADER),
                request.getHeaders().get("Sec-Fetch-Site"));
    }

    private static @Nullable String cookie(Request request, String name) {
        for (HttpCookie one : Request.getCookies(request)) {
            if (one.getName().equals(name)) {
                return one.getValue();
            }
        }
        return null;
    }

    /** May a change be done by a page? Of those that others made the browser says so. */
    boolean foreignPage() {
        String from = site;
        return from != null && !from.equals("same-origin") && !from.equals("none");
    }
}
