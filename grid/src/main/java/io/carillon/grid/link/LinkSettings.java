package io.carillon.grid.link;

import java.net.InetSocketAddress;

/**
 * How a channel between nodes is made.
 *
 * @param cluster name of the cluster
 * @param member number of this node, 0 to 254
 * @param listen own address; not a wildcard, others connect to it
 * @param portOffset added to the port of every node: a channel has a port of its own
 * @param discovery how others are found; it names ports without the offset
 * @param key proves nodes to each other
 */
public record LinkSettings(
        String cluster,
        int member,
        InetSocketAddress listen,
        int portOffset,
        Discovery discovery,
        ClusterKey key) {
    public LinkSettings {
        if (listen.isUnresolved() || listen.getAddress().isAnyLocalAddress()) {
            throw new IllegalArgumentException(
                    "other nodes connect to the address that a cluster listens on, so it is one"
                            + " address, not all: "
                            + listen);
        }
    }

    /** The same with another port. */
    public LinkSettings withPortOffset(int offset) {
        return new LinkSettings(cluster, member, listen, offset, discovery, key);
    }
}
