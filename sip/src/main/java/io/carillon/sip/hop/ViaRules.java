package io.carillon.sip.hop;

import io.carillon.sip.header.Via;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the server transport does to and reads from the top Via: RFC 3261 sections 18.2.1 and
 * 18.2.2, RFC 3581 section 4.
 *
 * <p>Stateless; any thread.
 */
public final class ViaRules {
    private ViaRules() {}

    // RFC 5626 4.4.1 and 4.4.2: what clients are recommended, in seconds.
    private static final String KEEP_DATAGRAMS = "29";
    private static final String KEEP_STREAMS = "120";

    /**
     * The Via with received, rport and keep where they belong; null when nothing is to be added.
     */
    public static @Nullable Via tag(Via top, Hop from) {
        Via tagged = addressed(top, from);
        if (!top.asksForKeepAlives() || from.internal()) {
            return tagged;
        }
        // RFC 6223 4.4: "If a SIP entity [...] receives a SIP request where the topmost Via header
        // field contains a "keep" parameter, and [it] is willing to receive keep-alives [...] the
        // SIP entity adds a parameter value": the frequency that it recommends, in seconds.
        Via seen = tagged == null ? top : tagged;
        return seen.withParam("keep", from.transport().reliable() ? KEEP_STREAMS : KEEP_DATAGRAMS);
    }

    @SuppressWarnings("AddressSelection") // the packet source is resolved
    private static @Nullable Via addressed(Via top, Hop from) {
        InetAddress source = from.remote().getAddress();
        if (source == null || from.internal()) {
            return null;
        }
        // RFC 3581 4: "If this Via header field value contains an "rport" parameter with no value,
        // it MUST set the value of the parameter to the source port of the request. [...] the
        // server MUST insert a "received" parameter containing the source IP address that the
        // request came from, even if it is identical to the value of the "sent-by" component." A
        // value that the client has put there is replaced: responses shall not be aimed by the
        // sender.
        if (top.rport() >= 0) {
            return top.withReceived(text(source)).withRport(from.remote().getPort());
        }
        // 18.2.1: "If the host portion of the "sent-by" parameter contains a domain name, or if it
        // contains an IP address that differs from the packet source address, the server MUST add a
        // "received" parameter".
        if (isAddress(top.host(), source) && top.received() == null) {
            return null;
        }
        return top.withReceived(text(source));
    }

    /** RFC 2606: a name that never has an address. */
    public static boolean nowhere(String host) {
        return host.regionMatches(true, host.length() - 8, ".invalid", 0, 8);
    }

    /** Is it a name, by its last character? No name ends with a digit, as no top domain does. */
    private static boolean named(String host) {
        char last = host.charAt(host.length() - 1);
        return last != ']' && (last < '0' || last > '9');
    }

    /** Where the response to a request with this top Via goes (18.2.2). */
    public static Hop responseHop(Via top, Hop source) {
        // "If the "sent-protocol" is a reliable transport protocol [...] the response MUST be sent
        // using the existing connection to the source of the original request".
        if (source.reliable()) {
            // Should it be gone, the next one must lead to whom the request came from (RFC 5922).
            return source.transport() == Transport.TLS
                            && source.domain() == null
                            && named(top.host())
                    ? source.withDomain(top.host().toLowerCase(Locale.ROOT))
                    : source;
        }
        int port = top.port() < 0 ? source.transport().defaultPort() : top.port();
        // "Otherwise, if the Via header field value contains a "maddr" parameter, the response MUST
        // be forwarded to the address listed there". A declared deviation: not followed. 18.1.1 has
        // a client put it there for multicast only, which no response of ours goes to; one of a
        // single host would let any stranger aim our responses at somebody else.
        //
        // RFC 3581 4: "If the "sent-protocol" is an unreliable transport protocol [and] there is an
        // "rport" [...] the response MUST be sent to the IP address indicated in the "received"
        // parameter, and to the port indicated in the "rport" parameter": the source.
        if (top.rport() > 0 || port == source.remote().getPort()) {
            return source;
        }
        // "if the top Via has a "received" parameter, the response MUST be sent to the address in
        // the "received" parameter, using the port indicated in the "sent-by" value, or using port
        // 5060". Without it sent-by is the source address.
        return new Hop(
                source.transport(),
                source.local(),
                new InetSocketAddress(source.remote().getAddress(), port),
                0);
    }

    /**
     * "If that connection is no longer open, the server SHOULD open a connection to the IP address
     * in the "received" parameter [...] using the port in the "sent-by" value".
     */
    public static @Nullable Hop reconnect(int viaPort, Hop source) {
        if (!source.transport().reliable() || source.connection() <= 0) {
            return null;
        }
        // RFC 7118 5.3: "SIP responses can only be sent over the existing WebSocket connection".
        if (source.transport().webSocket()) {
            return null;
        }
        int port = viaPort < 0 ? source.transport().defaultPort() : viaPort;
        return new Hop(
                        source.transport(),
                        source.local(),
                        new InetSocketAddress(source.remote().getAddress(), port),
                        0)
                .withDomain(source.domain());
    }

    /** The address without the zone of a link-local one. */
    private static String text(InetAddress address) {
        String text = address.getHostAddress();
        int zone = text.indexOf('%');
        return zone < 0 ? text : text.substring(0, zone);
    }

    private static @Nullable InetAddress literal(String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static boolean isAddress(String host, InetAddress address) {
        if (address instanceof Inet4Address v4) {
            return ipv4(host) == (bits(v4) & 0xFFFFFFFFL);
        }
        InetAddress written = host.indexOf(':') < 0 ? null : literal(host);
        return written != null && written.equals(address);
    }

    private static int bits(Inet4Address address) {
        byte[] b = address.getAddress();
        return (b[0] << 24) | ((b[1] & 0xFF) << 16) | ((b[2] & 0xFF) << 8) | (b[3] & 0xFF);
    }

    /** Dotted decimal as a number, or -1. */
    private static long ipv4(String host) {
        long bits = 0;
        int part = -1;
        int parts = 0;
        for (int i = 0; i <= host.length(); i++) {
            char c = i == host.length() ? '.' : host.charAt(i);
            if (c == '.') {
                if (part < 0 || part > 255) {
                    return -1;
                }
                bits = bits << 8 | part;
                part = -1;
                parts++;
            } else if (c >= '0' && c <= '9' && part <= 255) {
                part = Math.max(part, 0) * 10 + c - '0';
            } else {
                return -1;
            }
        }
        return parts == 4 ? bits : -1;
    }
}
