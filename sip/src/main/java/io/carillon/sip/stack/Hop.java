package io.carillon.sip.stack;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where a message came from or goes to. Immutable.
 *
 * @param transport by which transport
 * @param local our address, where it matters which; null leaves the choice to the wire
 * @param remote the peer's address, resolved
 * @param connection number of the connection, 0 for none: UDP, or a connection still to be found or
 *     opened
 */
public record Hop(
        Transport transport,
        @Nullable InetSocketAddress local,
        InetSocketAddress remote,
        long connection) {

    /** A way to an address that fixes neither our own address nor a connection. */
    public static Hop to(Transport transport, InetSocketAddress remote) {
        return new Hop(transport, null, remote, 0);
    }

    /** Host name or address of the peer, without a look into the DNS. */
    public String remoteHost() {
        return remote.getAddress() == null
                ? remote.getHostString()
                : remote.getAddress().getHostAddress();
    }

    @Override
    public String toString() {
        return transport
                + " "
                + remoteHost()
                + ":"
                + remote.getPort()
                + (connection == 0 ? "" : "#" + connection);
    }
}
