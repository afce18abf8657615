package io.carillon.servlet.header;

import io.carillon.sip.bytes.Ascii;
import java.util.Objects;

/**
 * What an application names as a host. The API asks for a host alone, but many applications write
 * {@code host:port}, as in {@code createSipURI("alice", "192.0.2.1:5080")}, and other containers
 * take it. Immutable.
 *
 * @param host name, IPv4 address, or IPv6 address with or without brackets; not checked yet
 * @param port what stands behind the host, -1 for none
 */
record HostText(String host, int port) {
    private static final int MOST = 65_535;

    /**
     * Splits off a port: of a text with one colon, or behind the brackets of an IPv6 address.
     *
     * @throws IllegalArgumentException when no port stands behind the colon
     */
    static HostText of(String text) {
        int colon = Objects.requireNonNull(text, "host").lastIndexOf(':');
        boolean behindBrackets = colon > 0 && text.charAt(colon - 1) == ']';
        if (colon < 0 || (!behindBrackets && text.indexOf(':') != colon)) {
            return new HostText(text, -1);
        }
        if (text.indexOf('[') >= 0 && !behindBrackets) {
            throw new IllegalArgumentException("not a host: " + text);
        }
        long port = Ascii.parseDecimal(text.substring(colon + 1), MOST);
        if (port < 0) {
            throw new IllegalArgumentException(
                    "not a host, nor a host with a port of 0 to " + MOST + ": " + text);
        }
        return new HostText(text.substring(0, colon), (int) port);
    }
}
