package io.carillon.server.cluster;

import io.carillon.server.config.ClusterSettings;
import io.carillon.server.start.StartException;
import io.carillon.sip.hop.HostPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Which of the configured nodes this process is, where nobody says it: the first that is an address
 * of this machine and whose port nobody has. So one file serves all nodes. Stateless.
 */
public final class OwnPlace {
    /** Held until the process ends. */
    private static final List<FileChannel> LOCKS = new CopyOnWriteArrayList<>();

    private OwnPlace() {}

    /** Where the member keeps its votes, below the folder of all clusters. */
    public static Path folder(Path clusters, ClusterSettings settings) {
        return clusters.resolve(settings.name() + "-" + settings.member());
    }

    /**
     * The settings with the node's own address.
     *
     * @param clusters the folder of all clusters
     * @throws StartException where there is none
     */
    public static ClusterSettings of(ClusterSettings settings, Path clusters)
            throws StartException {
        if (settings.listen() != null) {
            return settings;
        }
        for (HostPort node : settings.nodes()) {
            ClusterSettings place = settings.withListen(node);
            if (isFree(ClusterMembers.address("cluster.nodes", node))
                    && isMine(folder(clusters, place))) {
                return place;
            }
        }
        throw new StartException(
                "cluster.nodes: none of "
                        + settings.nodes()
                        + " is an address of this machine with a free port; say with cluster.listen"
                        + " which one this server is");
    }

    /** Two that start at once see the same free ports: the lock is one process's. */
    private static boolean isMine(Path folder) throws StartException {
        try {
            Files.createDirectories(folder);
            FileChannel lock =
                    FileChannel.open(
                            folder.resolve("lock"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
            if (lock.tryLock() != null) {
                LOCKS.add(lock);
                return true;
            }
            lock.close();
            return false;
        } catch (OverlappingFileLockException ofThisProcess) {
            return false;
        } catch (IOException e) {
            throw new StartException("the folder " + folder + " cannot be used: " + e, e);
        }
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
