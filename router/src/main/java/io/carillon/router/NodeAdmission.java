package io.carillon.router;

import io.carillon.cluster.link.LinkEndpoint;
import io.carillon.cluster.link.LinkMessage;
import io.carillon.cluster.link.LinkPeer;
import io.carillon.cluster.link.PeerId;
import io.carillon.sip.guard.SourceKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Whether new work goes to the node that owns its partition, by how that node is. Owner: the
 * router's thread.
 */
final class NodeAdmission {
    private final LinkEndpoint endpoint;
    private final RouterCounts counts;
    private final NodeWatch watch = new NodeWatch();
    private final EdgeAdmission edge = new EdgeAdmission();

    NodeAdmission(LinkEndpoint endpoint, RouterCounts counts) {
        this.endpoint = endpoint;
        this.counts = counts;
    }

    /** How nodes do. */
    NodeWatch watch() {
        return watch;
    }

    /** The network says that nobody is at that address; false when it is no node's. */
    boolean unreachable(InetSocketAddress remote, long nowNanos) {
        boolean known = false;
        for (int node = 0; node < PeerId.NONE; node++) {
            LinkPeer peer = endpoint.peer(node);
            if (peer != null && peer.address().equals(remote)) {
                watch.unreachable(node, nowNanos);
                counts.count(RouterCounter.UNREACHABLE);
                known = true;
            }
        }
        return known;
    }

    /**
     * Why a request is refused: its node answers nobody, or has said that it has enough.
     *
     * @return null when it is not
     */
    @Nullable RouterCounter refusal(int node, LinkMessage request, TopVias vias, long nowNanos) {
        LinkPeer peer = endpoint.peer(node);
        boolean outlier = watch.outlier(node, nowNanos);
        if (peer == null) {
            return null;
        }
        boolean limits = EdgeAdmission.limits(peer);
        // Nobody repeats what comes by a connection.
        if (!outlier && !limits && request.transport().reliable()) {
            return null;
        }
        byte[] b = request.bytes();
        if (!NewWork.is(b, request.from(), request.to())) {
            return null;
        }
        if (!vias.hasBranch()) {
            return outlier && !watch.mayTry(node, nowNanos) ? RouterCounter.REFUSED_OUTLIER : null;
        }
        InetAddress address = request.remote().getAddress();
        long hash = EdgeAdmission.hash(b, request.from(), request.to(), address.hashCode());
        return switch (edge.fate(hash, nowNanos)) {
            case LET_IN -> null;
            case REFUSED ->
                    outlier ? RouterCounter.REFUSED_OUTLIER : RouterCounter.REFUSED_OVERLOAD;
            case NEW -> {
                if (outlier && !watch.mayTry(node, nowNanos)) {
                    edge.refused(hash, nowNanos);
                    yield RouterCounter.REFUSED_OUTLIER;
                }
                if (!limits) {
                    edge.letIn(hash, nowNanos);
                    yield null;
                }
                yield edge.admits(peer, hash, SourceKey.of(address), nowNanos)
                        ? null
                        : RouterCounter.REFUSED_OVERLOAD;
            }
        };
    }

    /** Is a datagram a repeat of new work that was let in? */
    boolean repeatsWhatWasLetIn(
            byte[] b, int length, TopVias vias, InetAddress from, long nowNanos) {
        return !vias.response()
                && vias.hasBranch()
                && edge.repeatsWhatWasLetIn(
                        EdgeAdmission.hash(b, vias.start(), length, from.hashCode()), nowNanos);
    }
}
