package io.carillon.net.listen;

import io.carillon.sip.hop.Transport;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One address on which SIP is received. Immutable.
 *
 * @param transport any of the five; TLS and WSS want a certificate
 * @param host literal address or host name to bind; {@code 0.0.0.0} or {@code ::} binds all
 * @param port port to bind; 0 lets the system choose (what it chose is in {@link
 *     Network#listening()})
 * @param externalHost the host that others know this point by (behind address translation, or a DNS
 *     name); printed in Via, Contact and Record-Route; null: the address itself
 * @param externalPort the port to print with {@code externalHost}; 0: the bound port
 */
public record ListeningPoint(
        Transport transport,
        String host,
        int port,
        @Nullable String externalHost,
        int externalPort) {

    public ListeningPoint {
        if (host.isEmpty()) {
            throw new IllegalArgumentException("a listening point needs a host to bind");
        }
        if (port < 0 || port > 65535 || externalPort < 0 || externalPort > 65535) {
            throw new IllegalArgumentException(
                    "a port is a number from 0 to 65535: " + port + ", " + externalPort);
        }
    }

    public ListeningPoint(Transport transport, String host, int port) {
        this(transport, host, port, null, 0);
    }

    /** The same point at another port. */
    public ListeningPoint withPort(int other) {
        return new ListeningPoint(transport, host, other, externalHost, externalPort);
    }

    /**
     * Reads {@code udp:HOST:PORT}, {@code tls:[V6]:PORT}; the host may be left out or {@code *} for
     * all addresses, the port may be left out for the transport's default. What others call the
     * point may follow: {@code tls:10.0.0.5:5061 as sip.example.com:5061}, there too without the
     * port.
     *
     * @throws IllegalArgumentException when the text is not of that form; the message says what is
     */
    public static ListeningPoint parse(String text) {
        int as = text.indexOf(" as ");
        if (as >= 0) {
            ListeningPoint inner = parse(text.substring(0, as).strip());
            try {
                return inner.as(text.substring(as + 4).strip());
            } catch (IllegalArgumentException e) {
                throw wrong(text);
            }
        }
        int colon = text.indexOf(':');
        String token = colon < 0 ? text : text.substring(0, colon);
        Transport transport = Transport.of(token);
        if (transport == null) {
            throw wrong(text);
        }
        String rest = colon < 0 ? "" : text.substring(colon + 1);
        int end = rest.startsWith("[") ? rest.indexOf(']') + 1 : rest.lastIndexOf(':');
        String host;
        String port;
        if (rest.startsWith("[")) {
            if (end == 0 || (end < rest.length() && rest.charAt(end) != ':')) {
                throw wrong(text);
            }
            host = rest.substring(1, end - 1);
            port = end < rest.length() ? rest.substring(end + 1) : "";
        } else {
            host = end < 0 ? rest : rest.substring(0, end);
            port = end < 0 ? "" : rest.substring(end + 1);
        }
        if (host.isEmpty() || host.equals("*")) {
            host = "0.0.0.0";
        }
        try {
            int number = port.isEmpty() ? transport.defaultPort() : Integer.parseInt(port);
            return new ListeningPoint(transport, host, number);
        } catch (IllegalArgumentException e) {
            throw wrong(text);
        }
    }

    /**
     * The same point under the name and port that others know it by.
     *
     * @param external {@code HOST} or {@code HOST:PORT}, an IPv6 address in brackets
     * @throws IllegalArgumentException when it is neither
     */
    public ListeningPoint as(String external) {
        int end = external.startsWith("[") ? external.indexOf(']') + 1 : external.indexOf(':');
        String name = end < 0 ? external : external.substring(0, end);
        String rest = end < 0 ? "" : external.substring(end);
        if (name.isEmpty()
                || name.equals("[]")
                || name.indexOf(' ') >= 0
                || (!rest.isEmpty() && rest.charAt(0) != ':')) {
            throw new IllegalArgumentException(
                    "the name of a listening point is HOST or HOST:PORT");
        }
        String bare = name.startsWith("[") ? name.substring(1, name.length() - 1) : name;
        int printed = rest.isEmpty() ? 0 : Integer.parseInt(rest.substring(1));
        return new ListeningPoint(transport, host, port, bare, printed);
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException(
                "a listening point is udp:HOST:PORT, or with tcp, tls, ws or wss for udp, not "
                        + text);
    }

    /** {@code udp:127.0.0.1:5060}. */
    @Override
    public String toString() {
        String text =
                transport.name().toLowerCase(Locale.ROOT) + ":" + bracketed(host) + ":" + port;
        if (externalHost == null) {
            return text;
        }
        String name = text + " as " + bracketed(externalHost);
        return externalPort == 0 ? name : name + ":" + externalPort;
    }

    private static String bracketed(String host) {
        return host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
    }
}
