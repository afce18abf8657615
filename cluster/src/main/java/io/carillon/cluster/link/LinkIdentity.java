package io.carillon.cluster.link;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * Who we are on the link. Immutable.
 *
 * @param self see {@link PeerId}
 * @param secrets the cluster's; the first is ours, the others are taken too while keys change
 * @param address where others send us frames: one that they can reach
 * @param listeners of a router: where it listens for SIP
 * @param boot tells this process from the ones before it: the time of its start, microseconds since
 *     1970
 */
public record LinkIdentity(
        int self,
        List<LinkSecret> secrets,
        InetSocketAddress address,
        List<LinkListener> listeners,
        long boot) {
    public LinkIdentity {
        secrets = List.copyOf(secrets);
        listeners = List.copyOf(listeners);
        if (secrets.isEmpty()) {
            throw new IllegalArgumentException("a link needs the cluster's key");
        }
        if (address.getAddress() == null || address.getAddress().isAnyLocalAddress()) {
            throw new IllegalArgumentException(
                    "a link needs an address that others can reach, not " + address);
        }
        if (boot <= 0) {
            throw new IllegalArgumentException("boot " + boot);
        }
    }
}
