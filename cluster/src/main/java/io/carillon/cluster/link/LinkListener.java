package io.carillon.cluster.link;

import io.carillon.sip.hop.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Where a router listens for SIP. Its place in the router's list is the number of the listener on
 * the link. Immutable.
 *
 * @param address as bound
 */
public record LinkListener(Transport transport, InetSocketAddress address) {
    @Override
    public String toString() {
        InetAddress host = address.getAddress();
        String text = host == null ? address.getHostString() : host.getHostAddress();
        return transport.parameter()
                + ":"
                + (text.indexOf(':') >= 0 ? "[" + text + "]" : text)
                + ":"
                + address.getPort();
    }

    /**
     * Is that the address of it, as others write to it? Of a listener on all addresses nobody can
     * tell that by the port alone.
     */
    boolean is(Transport by, InetSocketAddress remote) {
        return transport == by && address.equals(remote);
    }

    /** Is that a local address of what it sends? */
    boolean covers(Transport by, InetSocketAddress local) {
        return transport == by
                && (address.equals(local)
                        || (address.getPort() == local.getPort()
                                && address.getAddress().isAnyLocalAddress()));
    }

    /** The number of a transport in frames. */
    static int code(Transport transport) {
        return switch (transport) {
            case UDP -> 1;
            case TCP -> 2;
            case TLS -> 3;
            case WS -> 4;
            case WSS -> 5;
        };
    }

    /** The transport of that number; UDP for one that we do not know. */
    static Transport transport(int code) {
        return switch (code) {
            case 2 -> Transport.TCP;
            case 3 -> Transport.TLS;
            case 4 -> Transport.WS;
            case 5 -> Transport.WSS;
            default -> Transport.UDP;
        };
    }
}
