package io.carillon.server.config;

import io.carillon.sip.hop.HostPort;

/**
 * Where a collector of SIP traffic listens.
 *
 * @param address host and port
 */
public record CollectorAddress(HostPort address) {
    private static final String SCHEME = "udp:";

    /**
     * Reads {@code udp:HOST:PORT}.
     *
     * @throws IllegalArgumentException when the text is not of that form
     */
    public static CollectorAddress parse(String text) {
        if (!text.startsWith(SCHEME)) {
            throw new IllegalArgumentException("no udp:");
        }
        HostPort address = HostPort.parse(text.substring(SCHEME.length()));
        if (address.port() == 0) {
            throw new IllegalArgumentException("no port");
        }
        return new CollectorAddress(address);
    }

    @Override
    public String toString() {
        return SCHEME + address;
    }
}
