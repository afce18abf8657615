package io.carillon.router;

import io.carillon.cluster.link.LinkSecret;
import io.carillon.cluster.link.PeerId;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.sip.hop.Transport;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a router is told. Immutable.
 *
 * @param number of this router, 0 to 255, another one for each router of the cluster
 * @param listen where SIP is received, UDP; what stands behind {@code as} is what others call it
 * @param link the address at which nodes reach this router, with its port; 0 lets the system choose
 * @param nodes some nodes by their number and the address of their link; the table names the others
 * @param cluster the cluster's number
 * @param secrets the cluster's keys: ours, and the one before it while they change
 * @param http where {@code /metrics} and {@code /status} are answered; null: nowhere
 */
public record RouterConfig(
        int number,
        List<ListeningPoint> listen,
        InetSocketAddress link,
        Map<Integer, InetSocketAddress> nodes,
        int cluster,
        List<LinkSecret> secrets,
        @Nullable InetSocketAddress http) {
    public RouterConfig {
        listen = List.copyOf(listen);
        nodes = Map.copyOf(nodes);
        secrets = List.copyOf(secrets);
        PeerId.router(number); // checks it
        if (listen.isEmpty()) {
            throw new IllegalArgumentException("listen: at least one udp:HOST:PORT is needed");
        }
        for (ListeningPoint point : listen) {
            if (point.transport() != Transport.UDP) {
                throw new IllegalArgumentException("listen: a router takes UDP, not " + point);
            }
        }
        if (link.getAddress() == null || link.getAddress().isAnyLocalAddress()) {
            throw new IllegalArgumentException(
                    "link: an address of this machine that the nodes can reach, not " + link);
        }
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("nodes: at least one NUMBER@HOST:PORT is needed");
        }
        if (secrets.isEmpty()) {
            throw new IllegalArgumentException("key-file: the cluster's key is needed");
        }
    }
}
