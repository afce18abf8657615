package io.carillon.lab.load;

import io.carillon.net.resolve.HostLiteral;
import io.carillon.sip.stack.Hop;
import io.carillon.sip.stack.Transport;
import java.net.InetSocketAddress;

/**
 * Where messages go and come from.
 *
 * @param transport of all of them
 * @param server the server under test
 * @param caller our address of the caller's side
 * @param callee our address of the callee's side
 */
record Places(
        Transport transport,
        InetSocketAddress server,
        InetSocketAddress caller,
        InetSocketAddress callee) {

    /** The way from the caller's side to the server. */
    Hop callerToServer() {
        return from(caller, server);
    }

    /** The way from the callee's side to the server. */
    Hop calleeToServer() {
        return from(callee, server);
    }

    private Hop from(InetSocketAddress local, InetSocketAddress remote) {
        return new Hop(transport, local, remote, 0);
    }

    static String print(InetSocketAddress address) {
        return HostLiteral.print(address.getAddress()) + ":" + address.getPort();
    }

    /** What stands behind an address in a URI so that the transport is found again. */
    String uriParameter() {
        return transport == Transport.UDP
                ? ""
                : ";transport=" + transport.name().toLowerCase(java.util.Locale.ROOT);
    }
}
