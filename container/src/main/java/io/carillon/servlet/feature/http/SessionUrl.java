package io.carillon.servlet.feature.http;

import org.jspecify.annotations.Nullable;

/** Writes a session id into a URL (Servlet 4.0, 7.1.3: URL rewriting). Stateless. */
final class SessionUrl {
    private SessionUrl() {}

    /**
     * The URL with the path parameter at the end of its path, in place of one that is there.
     *
     * @param parameter its name; null where sessions are not kept in URLs
     */
    static String encode(String url, @Nullable String parameter, String id) {
        if (parameter == null) {
            return url;
        }
        int pathEnd = pathEnd(url);
        String path = url.substring(0, pathEnd);
        String prefix = ";" + parameter + "=";
        int old = path.indexOf(prefix);
        if (old >= 0) {
            int end = path.indexOf(';', old + 1);
            path = path.substring(0, old) + (end < 0 ? "" : path.substring(end));
        }
        return path + prefix + id + url.substring(pathEnd);
    }

    private static int pathEnd(String url) {
        for (int i = 0; i < url.length(); i++) {
            if (url.charAt(i) == '?' || url.charAt(i) == '#') {
                return i;
            }
        }
        return url.length();
    }
}
