package io.carillon.server.config;

/**
 * Where to listen.
 *
 * @param host a name or address literal; an IPv6 literal without its brackets
 * @param port 0 to 65535; 0 lets the system choose
 */
public record HostPort(String host, int port) {
    /**
     * Reads {@code HOST:PORT}, with brackets around an IPv6 literal.
     *
     * @throws IllegalArgumentException when the text is not of that form
     */
    public static HostPort parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0 || colon == text.length() - 1) {
            throw new IllegalArgumentException("no HOST:PORT");
        }
        String host = text.substring(0, colon).strip();
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        if (bracketed) {
            host = host.substring(1, host.length() - 1);
        }
        if (host.isEmpty() || (host.indexOf(':') >= 0 && !bracketed) || host.indexOf(' ') >= 0) {
            throw new IllegalArgumentException("no HOST");
        }
        int port = Integer.parseInt(text.substring(colon + 1).strip());
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("no PORT");
        }
        return new HostPort(host, port);
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
