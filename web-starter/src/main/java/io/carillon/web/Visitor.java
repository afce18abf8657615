package io.carillon.web;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Who sends a request: by a bearer token or by the cookie of a page of ours. Immutable. */
final class Visitor {
    /** The cookie of a sign-in. */
    static final String COOKIE = "carillon-sign-in";

    private static final String BEARER = "bearer ";

    private final SignIns signIns;

    Visitor(SignIns signIns) {
        this.signIns = signIns;
    }

    /**
     * The user.
     *
     * @throws ApiProblem 401 when nobody is signed in, 403 for a page of another origin
     */
    String of(HttpServletRequest request) {
        refuseOtherOrigin(request);
        String user = signIns.user(token(request));
        if (user == null) {
            throw ApiProblem.notSignedIn();
        }
        return user;
    }

    @Nullable String token(HttpServletRequest request) {
        String authorization = request.getHeader("Authorization");
        if (authorization != null && authorization.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
            return authorization.substring(BEARER.length()).strip();
        }
        Cookie[] cookies = request.getCookies();
        if (cookies != null) {
            for (Cookie cookie : cookies) {
                if (cookie.getName().equals(COOKIE)) {
                    return cookie.getValue();
                }
            }
        }
        return null;
    }

    /** RFC 6454 section 7: a browser says whose page sends. */
    void refuseOtherOrigin(HttpServletRequest request) {
        String origin = request.getHeader("Origin");
        if (origin == null) {
            return;
        }
        String own = request.getHeader("Host");
        try {
            if (own != null && own.equalsIgnoreCase(URI.create(origin).getAuthority())) {
                return;
            }
        } catch (IllegalArgumentException e) {
            // no origin of a page of ours, whatever it is
        }
        throw ApiProblem.otherOrigin(origin);
    }
}
