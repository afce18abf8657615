package io.carillon.net.link;

import io.carillon.cluster.link.LinkSecret;
import io.carillon.cluster.link.Owners;
import io.carillon.cluster.link.PeerId;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.token.Ownership;
import io.carillon.sip.token.Partitions;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A node of a cluster with routers before it. Immutable.
 *
 * @param node number of this node, 0 to 254
 * @param listen where frames are received: an address that routers and nodes reach; port 0 lets the
 *     system choose
 * @param clusterAddress what Via, Contact and Record-Route print: the address of the routers
 * @param streams by which other transports the routers are reached, and what is printed of each
 * @param secrets the cluster's keys: ours, and the one before it while they change
 * @param ownership for which partitions this node may act now
 * @param table who owns what, as this node knows it now
 * @param partitions says to which partition a message belongs
 * @param control takes what other nodes tell this one
 * @param parkedBytes bytes of messages that may wait on each event loop for an owner
 * @param routers that this node tells that it is there, by their numbers from 0; others tell it
 *     themselves
 */
public record LinkConfig(
        int node,
        InetSocketAddress listen,
        HostPort clusterAddress,
        Map<Transport, HostPort> streams,
        List<LinkSecret> secrets,
        Ownership ownership,
        Supplier<Owners> table,
        Partitions partitions,
        Control control,
        long parkedBytes,
        List<InetSocketAddress> routers) {
    /** Of a loop: some seconds of signalling. */
    public static final long PARKED_BYTES = 8L << 20;

    /** Takes what other nodes tell this one beside SIP: leases, votes. Called on the first loop. */
    @FunctionalInterface
    public interface Control {
        /** Of a node that has nothing to agree on with others. */
        Control NONE = (node, content) -> {};

        /**
         * @param node who tells it, proved
         * @param content an array of its own
         */
        void told(int node, byte[] content);
    }

    public LinkConfig {
        routers = List.copyOf(routers);
        secrets = List.copyOf(secrets);
        streams = Map.copyOf(streams);
        if (streams.containsKey(Transport.UDP)) {
            throw new IllegalArgumentException("the address for UDP is that of the cluster");
        }
        if (!PeerId.isNode(node)) {
            throw new IllegalArgumentException("a node's number is 0 to 254, not " + node);
        }
        if (listen.getAddress() == null || listen.getAddress().isAnyLocalAddress()) {
            throw new IllegalArgumentException(
                    "the link's address is one that routers can reach, not " + listen);
        }
        if (parkedBytes < 0) {
            throw new IllegalArgumentException("parked bytes " + parkedBytes);
        }
    }
}
