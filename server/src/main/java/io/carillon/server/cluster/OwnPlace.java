package io.carillon.server.cluster;

import io.carillon.server.config.ClusterSettings;
import io.carillon.server.start.StartException;
import io.carillon.sip.hop.HostPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;

/**
 * Which of the configured nodes this process is, where nobody says it: the first that is an address
 * of this machine and whose port nobody has. So one file serves all nodes. Stateless.
 */
public final class OwnPlace {
    private OwnPlace() {}

    /**
     * The settings with the node's own address.
     *
     * @throws StartException where there is none
     */
    public static ClusterSettings of(ClusterSettings settings) throws StartException {
        if (settings.listen() != null) {
            return settings;
        }
        for (HostPort node : settings.nodes()) {
            if (isFree(ClusterMembers.address("cluster.nodes", node))) {
                return settings.withListen(node);
            }
        }
        throw new StartException(
                "cluster.nodes: none of "
                        + settings.nodes()
                        + " is an address of this machine with a free port; say with cluster.listen"
                        + " which one this server is");
    }

    private static boolean isFree(InetSocketAddress address) {
        try {
            if (NetworkInterface.getByInetAddress(address.getAddress()) == null) {
                return false;
            }
            try (ServerSocket trial = new ServerSocket()) {
                trial.setReuseAddress(true);
                trial.bind(address);
                return true;
            }
        } catch (IOException taken) {
            return false;
        }
    }
}
