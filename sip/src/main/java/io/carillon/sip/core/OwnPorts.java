package io.carillon.sip.core;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.OwnAddresses;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Which hops lead to listening points of ours. Owner: the shard's thread. */
final class OwnPorts {
    private final OwnAddresses addresses;

    /** Whom {@link #leadsHere} was asked for last, and what it said. */
    private @Nullable InetSocketAddress askedFor;

    private boolean askedForIsHere;

    OwnPorts(OwnAddresses addresses) {
        this.addresses = addresses;
    }

    /** Does that hop lead to one of ours, by the wire? */
    boolean leadsHere(Hop hop) {
        InetSocketAddress remote = hop.remote();
        InetAddress address = remote.getAddress();
        if (hop.internal() || address == null) {
            return false;
        }
        if (!remote.equals(askedFor)) {
            String digits = address.getHostAddress();
            askedFor = remote;
            askedForIsHere =
                    addresses.isLocal(
                            address instanceof Inet6Address ? '[' + digits + ']' : digits,
                            remote.getPort());
        }
        return askedForIsHere;
    }
}
