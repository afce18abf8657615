package io.carillon.servlet.kernel;

import io.carillon.servlet.port.SessionTokens;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Writes an application session into a URL (SIP Servlet 1.1, SipApplicationSession.encodeURL): a
 * parameter of the query, so the path stays what web.xml maps. Stateless.
 */
final class EncodedUrl {
    private EncodedUrl() {}

    /**
     * The URL with the token in its query, in place of one that is there.
     *
     * @param place token of the session's partition, which leads a node of a cluster that is no
     *     owner of it to the one that is; null without a cluster
     * @throws IllegalArgumentException when it is no URL of RFC 3986
     */
    static URL with(URL url, String token, @Nullable String place) {
        try {
            URI uri = url.toURI();
            StringBuilder query = new StringBuilder();
            String old = uri.getRawQuery();
            if (old != null) {
                for (String pair : old.split("&", -1)) {
                    if (!pair.startsWith(SessionTokens.PARAMETER + "=")
                            && !pair.startsWith(SessionTokens.PLACE + "=")) {
                        query.append(pair).append('&');
                    }
                }
            }
            query.append(SessionTokens.PARAMETER)
                    .append('=')
                    .append(URLEncoder.encode(token, StandardCharsets.UTF_8));
            if (place != null) {
                query.append('&').append(SessionTokens.PLACE).append('=').append(place);
            }
            String text = uri.toString();
            int end = text.indexOf('#');
            String fragment = end < 0 ? "" : text.substring(end);
            String base = end < 0 ? text : text.substring(0, end);
            int mark = base.indexOf('?');
            return URI.create((mark < 0 ? base : base.substring(0, mark)) + "?" + query + fragment)
                    .toURL();
        } catch (URISyntaxException | MalformedURLException e) {
            throw new IllegalArgumentException(url + " cannot carry an application session", e);
        }
    }
}
