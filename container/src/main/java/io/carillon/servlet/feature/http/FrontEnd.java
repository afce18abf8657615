package io.carillon.servlet.feature.http;

import java.util.Locale;
import java.util.function.Supplier;

/**
 * How visitors reach the applications.
 *
 * @param address host and port of the web server as they know it; asked for when it is needed, as a
 *     port of 0 is known only once it is bound
 */
public record FrontEnd(Supplier<String> address) {
    /**
     * An absolute URL.
     *
     * @param scheme http or https
     * @param contextPath of the application
     * @param path in it, with or without its first slash
     * @throws IllegalArgumentException for another scheme
     */
    public String absolute(String scheme, String contextPath, String path) {
        String lower = scheme.toLowerCase(Locale.ROOT);
        if (!lower.equals("http") && !lower.equals("https")) {
            throw new IllegalArgumentException("the scheme is http or https, not " + scheme);
        }
        return lower
                + "://"
                + address.get()
                + contextPath
                + (path.startsWith("/") ? path : "/" + path);
    }
}
