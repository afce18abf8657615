package io.carillon.sip.hop;

/**
 * A host and a port as they are printed: the sent-by of a Via, the host part of a Contact, a place
 * to listen.
 *
 * @param host name or address; an IPv6 address in brackets
 * @param port -1 when none is printed
 */
public record HostPort(String host, int port) {
    /**
     * With brackets where they are missing around an IPv6 address.
     *
     * @param port -1 when none is printed
     */
    public static HostPort of(String host, int port) {
        boolean bare = host.indexOf(':') >= 0 && !host.startsWith("[");
        return new HostPort(bare ? "[" + host + "]" : host, port);
    }

    /**
     * Reads {@code HOST:PORT}, with brackets around an IPv6 address.
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
        return of(host, port);
    }

    /** The host as sockets want it: an IPv6 address without its brackets. */
    public String bareHost() {
        return host.startsWith("[") && host.endsWith("]")
                ? host.substring(1, host.length() - 1)
                : host;
    }

    @Override
    public String toString() {
        return port < 0 ? host : host + ":" + port;
    }
}
