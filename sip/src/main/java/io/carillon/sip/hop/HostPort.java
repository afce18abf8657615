package io.carillon.sip.hop;

/**
 * A host and a port as they are printed: the sent-by of a Via, the host part of a Contact.
 *
 * @param host name or address; an IPv6 address in brackets
 * @param port -1 when none is printed
 */
public record HostPort(String host, int port) {
    @Override
    public String toString() {
        return port < 0 ? host : host + ":" + port;
    }
}
