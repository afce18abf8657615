package io.carillon.lab.load;

import io.carillon.net.address.HostLiteral;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import java.net.InetSocketAddress;

/**
 * Where messages go and come from.
 *
 * @param transport of the caller's side
 * @param server the server under test, as the callers reach it
 * @param caller our address of the caller's side
 * @param callee our address of the callee's side
 * @param calleeTransport of the callee's side
 */
record LoadAddresses(
        Transport transport,
        InetSocketAddress server,
        InetSocketAddress caller,
        InetSocketAddress callee,
        Transport calleeTransport) {

    /** Both sides by the same transport. */
    LoadAddresses(
            Transport transport,
            InetSocketAddress server,
            InetSocketAddress caller,
            InetSocketAddress callee) {
        this(transport, server, caller, callee, transport);
    }

    /** The way from the caller's side to the server. */
    Hop callerToServer() {
        return new Hop(transport, caller, server, 0);
    }

    /**
     * The way from the callee's side to the server, where its messages name none: the port is that
     * of the caller's transport, as the callee never begins.
     */
    Hop calleeToServer() {
        return new Hop(calleeTransport, callee, server, 0);
    }

    static String print(InetSocketAddress address) {
        return HostLiteral.print(address.getAddress()) + ":" + address.getPort();
    }

    /** What stands behind the caller's address in a URI so that the transport is found again. */
    String uriParameter() {
        return parameter(transport);
    }

    /** The same behind the callee's. */
    String calleeUriParameter() {
        return parameter(calleeTransport);
    }

    private static String parameter(Transport transport) {
        return transport == Transport.UDP ? "" : ";transport=" + transport.parameter();
    }
}
