package io.carillon.server.config;

import java.util.Locale;

/**
 * Where to listen for SIP.
 *
 * @param transport over what
 * @param address host and port
 */
public record ListenAddress(Transport transport, HostPort address) {
    /** The transports that can be listened on. */
    public enum Transport {
        /** Datagrams. */
        UDP,
        /** Streams. */
        TCP
    }

    /**
     * Reads {@code udp:HOST:PORT} or {@code tcp:HOST:PORT}.
     *
     * @throws IllegalArgumentException when the text is not of that form
     */
    public static ListenAddress parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("no transport");
        }
        Transport transport =
                switch (text.substring(0, colon).strip().toLowerCase(Locale.ROOT)) {
                    case "udp" -> Transport.UDP;
                    case "tcp" -> Transport.TCP;
                    default -> throw new IllegalArgumentException("no transport");
                };
        return new ListenAddress(transport, HostPort.parse(text.substring(colon + 1)));
    }

    @Override
    public String toString() {
        return transport.name().toLowerCase(Locale.ROOT) + ":" + address;
    }
}
