package io.carillon.bridge.mobicents;

import io.carillon.servlet.app.Application;
import io.carillon.sip.hop.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipURI;
import org.jspecify.annotations.Nullable;

/**
 * One of the container's outbound interfaces, found by its URI.
 *
 * @param address to send from
 * @param transport to take where a target leaves it open
 */
record Outbound(InetSocketAddress address, Transport transport) {
    /**
     * @throws IllegalArgumentException when the URI is none of the outbound interfaces
     */
    static Outbound of(SipURI wanted, Application application) {
        Objects.requireNonNull(wanted, "outboundInterface");
        if (application.context().getAttribute(SipServlet.OUTBOUND_INTERFACES)
                instanceof List<?> points) {
            for (Object point : points) {
                if (point instanceof SipURI own && names(wanted, own)) {
                    return new Outbound(
                            new InetSocketAddress(literal(own.getHost()), port(own)),
                            transport(own));
                }
            }
        }
        throw new IllegalArgumentException(wanted + " is not among the outbound interfaces");
    }

    private static boolean names(SipURI wanted, SipURI own) {
        return own.getHost().equalsIgnoreCase(wanted.getHost())
                && port(own) == port(wanted)
                && (wanted.getTransportParam() == null || transport(own) == transport(wanted));
    }

    private static @Nullable Transport named(SipURI uri) {
        String token = uri.getTransportParam();
        return token == null ? null : Transport.of(token);
    }

    private static Transport transport(SipURI uri) {
        Transport named = named(uri);
        return named != null ? named : uri.isSecure() ? Transport.TLS : Transport.UDP;
    }

    private static int port(SipURI uri) {
        return uri.getPort() >= 0 ? uri.getPort() : transport(uri).defaultPort();
    }

    private static InetAddress literal(String host) {
        return InetAddress.ofLiteral(
                host.startsWith("[") ? host.substring(1, host.length() - 1) : host);
    }
}
