package io.carillon.router;

import io.carillon.cluster.link.LinkEndpoint;
import io.carillon.cluster.link.LinkPeer;
import io.carillon.cluster.link.NodeHealth;
import io.carillon.cluster.link.Owners;
import io.carillon.cluster.link.PeerId;
import java.net.InetSocketAddress;
import java.util.Map;

/**
 * Which node gets the messages of a partition: the owner by the table, the next one while that does
 * not live, else some node that lives, which knows whose it is or keeps it.
 *
 * <p>Owner: one thread.
 */
final class NodeChoice {
    private final LinkEndpoint endpoint;
    private final NodeWatch watch;
    private Owners owners = Owners.UNKNOWN;
    private RouterCounter way = RouterCounter.TO_OWNER;
    private long confirmedNanos;
    private long aloneSinceNanos;
    private boolean alone;

    NodeChoice(LinkEndpoint endpoint, NodeWatch watch) {
        this.endpoint = endpoint;
        this.watch = watch;
    }

    /** The table that is gone by. */
    Owners owners() {
        return owners;
    }

    /** The node; {@link PeerId#NONE} when none lives. */
    int node(int partition, long nowNanos) {
        int owner = owners.owner(partition);
        if (alive(owner, nowNanos)) {
            way = RouterCounter.TO_OWNER;
            alone = false;
            return owner;
        }
        int next = owners.next(partition);
        if (alive(next, nowNanos)) {
            way = RouterCounter.TO_NEXT;
            alone = false;
            return next;
        }
        way = RouterCounter.TO_ANY;
        int some = any(partition, nowNanos);
        if (some != PeerId.NONE) {
            alone = false;
        } else if (!alone) {
            alone = true;
            aloneSinceNanos = nowNanos;
        }
        return some;
    }

    /** For how long no node has lived when one was looked for. */
    long aloneNanos(long nowNanos) {
        return alone ? nowNanos - aloneSinceNanos : 0;
    }

    /** When the process of a node began; 0 for none. */
    long boot(int node) {
        LinkPeer peer = endpoint.peer(node);
        return peer == null ? 0 : peer.boot();
    }

    /** How the last node was found. */
    RouterCounter way() {
        return way;
    }

    private boolean alive(int node, long nowNanos) {
        LinkPeer peer = node == PeerId.NONE ? null : endpoint.peer(node);
        return peer != null && peer.alive(nowNanos) && !watch.isUnreachable(node, nowNanos);
    }

    /** Those that take new calls first, else those that at least know a table. */
    private int any(int partition, long nowNanos) {
        int node = any(partition, true, nowNanos);
        return node == PeerId.NONE ? any(partition, false, nowNanos) : node;
    }

    /** The same for all messages of a partition. */
    private int any(int partition, boolean takesNew, long nowNanos) {
        int serving = 0;
        for (int node = 0; node < PeerId.NONE; node++) {
            serving += serves(node, takesNew, nowNanos) ? 1 : 0;
        }
        if (serving == 0) {
            return PeerId.NONE;
        }
        int left = partition % serving;
        for (int node = 0; node < PeerId.NONE; node++) {
            if (serves(node, takesNew, nowNanos) && left-- == 0) {
                return node;
            }
        }
        return PeerId.NONE;
    }

    /** One that is starting knows no table yet. */
    private boolean serves(int node, boolean takesNew, long nowNanos) {
        LinkPeer peer = endpoint.peer(node);
        return peer != null
                && alive(node, nowNanos)
                && switch (peer.health()) {
                    case READY, OVERLOADED -> true;
                    case DRAINING, ISOLATED -> !takesNew;
                    case STARTING, GONE -> false;
                };
    }

    /** A table that no node knows any more is of a cluster that has begun anew. */
    void heard(LinkPeer peer, long nowNanos) {
        if (!PeerId.isNode(peer.id())) {
            return;
        }
        watch.heard(peer.id());
        if (peer.tableVersion() >= owners.version()) {
            confirmedNanos = nowNanos;
        } else if (nowNanos - confirmedNanos > Forwarder.PATIENCE_NANOS) {
            owners = Owners.UNKNOWN;
            endpoint.say(NodeHealth.READY, owners.version());
        }
    }

    /**
     * A node has told who owns what.
     *
     * @return true when it is newer than what was known
     */
    boolean told(Owners table) {
        if (table.version() <= owners.version()) {
            return false;
        }
        owners = table;
        endpoint.say(NodeHealth.READY, table.version());
        for (Map.Entry<Integer, InetSocketAddress> node : table.addresses().entrySet()) {
            endpoint.know(node.getKey(), node.getValue());
        }
        return true;
    }
}
