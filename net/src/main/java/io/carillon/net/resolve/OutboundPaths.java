package io.carillon.net.resolve;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import java.net.InetSocketAddress;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * By which ways messages leave: known once everything is bound. Immutable, any thread.
 *
 * @param addresses ours
 * @param filter where messages may not go
 * @param sends whether requests can be sent over a transport
 */
public record OutboundPaths(
        LocalAddresses addresses, EgressFilter filter, Predicate<Transport> sends) {

    /**
     * A hop there. RFC 5922 4: what a server proves is the name that the client had, whatever the
     * DNS made of it.
     *
     * @param domain the host of the URI; null for one in digits
     */
    Hop hop(Transport transport, InetSocketAddress remote, @Nullable String domain) {
        Hop hop = Hop.to(transport, remote);
        boolean named = transport.secure() || transport.webSocket();
        return domain == null || !named ? hop : hop.withDomain(domain);
    }
}
