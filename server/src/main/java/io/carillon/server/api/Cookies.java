package io.carillon.server.api;

/**
 * Cookies of the console. Pages cannot read them, other sites' requests do not carry them, and with
 * TLS no other name or path can set them.
 */
final class Cookies {
    /** The header that a change by a session has to bring. */
    static final String CSRF_HEADER = "X-CSRF-Token";

    private static final String SESSION = "carillon-session";
    private static final String BROWSER = "carillon-browser";
    private static final String AWAY = "carillon-oidc";
    private static final String LOCKED = "__Host-";
    private static final long BROWSER_SECONDS = 90L * 24 * 3600;

    private Cookies() {}

    static String session(boolean secure) {
        return (secure ? LOCKED : "") + SESSION;
    }

    static String browser(boolean secure) {
        return (secure ? LOCKED : "") + BROWSER;
    }

    static String begin(String session, boolean secure) {
        return session(secure) + "=" + session + attributes(secure);
    }

    static String end(boolean secure) {
        return session(secure) + "=" + attributes(secure) + "; Max-Age=0";
    }

    static String known(String mark, boolean secure) {
        return browser(secure) + "=" + mark + attributes(secure) + "; Max-Age=" + BROWSER_SECONDS;
    }

    /** Lax: it has to come along when the issuer sends a browser back. */
    static String away(String state, boolean secure) {
        return away(secure)
                + "="
                + state
                + "; Path=/; HttpOnly; SameSite=Lax; Max-Age=600"
                + (secure ? "; Secure" : "");
    }

    static String back(boolean secure) {
        return away(secure)
                + "=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"
                + (secure ? "; Secure" : "");
    }

    static String away(boolean secure) {
        return (secure ? LOCKED : "") + AWAY;
    }

    private static String attributes(boolean secure) {
        return "; Path=/; HttpOnly; SameSite=Strict" + (secure ? "; Secure" : "");
    }
}
