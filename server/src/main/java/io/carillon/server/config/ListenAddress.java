package io.carillon.server.config;

import io.carillon.sip.hop.HostPort;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where to listen for SIP.
 *
 * @param transport over what
 * @param address host and port
 * @param externalHost what others call this point, printed in Via, Contact and Record-Route; null:
 *     the server's external host, else the address
 * @param externalPort the port printed with it; 0: the bound one
 */
public record ListenAddress(
        Transport transport, HostPort address, @Nullable String externalHost, int externalPort) {
    /** The forms there are, for messages to people. */
    public static final String FORM =
            "udp:HOST:PORT or tcp:HOST:PORT, or with tls, ws or wss before it; \"as HOST:PORT\" may"
                    + " follow";

    /** The transports that can be listened on. */
    public enum Transport {
        /** Datagrams. */
        UDP,
        /** Streams. */
        TCP,
        /** Streams inside TLS. */
        TLS,
        /** WebSocket. */
        WS,
        /** WebSocket inside TLS. */
        WSS
    }

    public ListenAddress(Transport transport, HostPort address) {
        this(transport, address, null, 0);
    }

    /**
     * Reads {@code udp:HOST:PORT} and the like; {@code tls:10.0.0.5:5061 as sip.example.com:5061}
     * says what others call the point, there with or without the port.
     *
     * @throws IllegalArgumentException when the text is not of that form
     */
    public static ListenAddress parse(String text) {
        int as = text.indexOf(" as ");
        if (as >= 0) {
            ListenAddress inner = parse(text.substring(0, as).strip());
            String name = text.substring(as + 4).strip();
            boolean withPort = name.lastIndexOf(':') > name.lastIndexOf(']');
            HostPort external = HostPort.parse(withPort ? name : name + ":0");
            return new ListenAddress(
                    inner.transport, inner.address, external.bareHost(), external.port());
        }
        int colon = text.indexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("no transport");
        }
        Transport transport =
                switch (text.substring(0, colon).strip().toLowerCase(Locale.ROOT)) {
                    case "udp" -> Transport.UDP;
                    case "tcp" -> Transport.TCP;
                    case "tls" -> Transport.TLS;
                    case "ws" -> Transport.WS;
                    case "wss" -> Transport.WSS;
                    default -> throw new IllegalArgumentException("no transport");
                };
        return new ListenAddress(transport, HostPort.parse(text.substring(colon + 1)));
    }

    @Override
    public String toString() {
        String text = transport.name().toLowerCase(Locale.ROOT) + ":" + address;
        if (externalHost == null) {
            return text;
        }
        HostPort external = HostPort.of(externalHost, externalPort);
        String name = external.toString();
        return text
                + " as "
                + (externalPort == 0 ? name.substring(0, name.lastIndexOf(':')) : name);
    }
}
