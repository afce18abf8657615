package io.carillon.server.cluster;

import io.carillon.server.config.ClusterSettings;
import io.carillon.server.start.StartException;
import io.carillon.sip.hop.HostPort;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which of the configured nodes this process is, where nobody says it: the first that is an address
 * of this machine and whose port nobody has. So one file serves all nodes. Stateless.
 */
public final class OwnPlace {
    private static final Logger LOG = LoggerFactory.getLogger(OwnPlace.class);

    /** Held until the process ends: the folder of the votes, and the sign of the place. */
    private static final List<Closeable> LOCKS = new CopyOnWriteArrayList<>();

    /** A container's own name is known some seconds after it has started. */
    private static final int NAME_SECONDS = 30;

    /** Nobody reads what comes there. */
    private static final int SMALLEST_BUFFER = 1;

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
        return of(settings, clusters, Names.STANDARD);
    }

    static ClusterSettings of(ClusterSettings settings, Path clusters, Names names)
            throws StartException {
        if (settings.listen() != null) {
            return settings;
        }
        for (int second = 0; ; second++) {
            ClusterSettings place = place(settings, clusters, names);
            if (place != null) {
                return place;
            }
            List<HostPort> unknown = names.unknown(settings.nodes());
            if (unknown.isEmpty() || second == NAME_SECONDS) {
                throw new StartException(
                        "cluster.nodes: none of "
                                + settings.nodes()
                                + " is an address of this machine with a free port"
                                + (unknown.isEmpty()
                                        ? ""
                                        : ", and no address is known of " + unknown)
                                + "; say with cluster.listen which one this server is");
            }
            names.pause(second, unknown);
        }
    }

    private static @Nullable ClusterSettings place(
            ClusterSettings settings, Path clusters, Names names) throws StartException {
        for (HostPort node : settings.nodes()) {
            ClusterSettings place = settings.withListen(node);
            InetSocketAddress address = names.look().apply(node);
            DatagramChannel sign = address.isUnresolved() ? null : sign(address);
            if (sign == null) {
                continue;
            }
            if (isMine(folder(clusters, place))) {
                LOCKS.add(sign);
                return place;
            }
            release(sign);
        }
        return null;
    }

    /**
     * Where this process listens.
     *
     * @param key of the setting that names it
     * @throws StartException where its name stays unknown
     */
    static InetSocketAddress address(String key, HostPort own) throws StartException {
        return address(key, own, Names.STANDARD);
    }

    static InetSocketAddress address(String key, HostPort own, Names names) throws StartException {
        for (int second = 0; ; second++) {
            InetSocketAddress address = names.look().apply(own);
            if (!address.isUnresolved()) {
                return address;
            }
            if (second == NAME_SECONDS) {
                throw new StartException(
                        key
                                + ": "
                                + own
                                + " is this process, but no address is known of that name");
            }
            names.pause(second, List.of(own));
        }
    }

    /**
     * How names are looked up.
     *
     * @param look gives an address that is not resolved where the name is not known
     * @param second waits for one
     */
    record Names(Function<HostPort, InetSocketAddress> look, Second second) {
        static final Names STANDARD =
                new Names(ClusterMembers::lookUp, () -> TimeUnit.SECONDS.sleep(1));

        /** Lets a second pass. */
        interface Second {
            void pass() throws InterruptedException;
        }

        private List<HostPort> unknown(List<HostPort> all) {
            return all.stream().filter(each -> look.apply(each).isUnresolved()).toList();
        }

        private void pause(int seconds, List<HostPort> unknown) throws StartException {
            if (seconds == 0) {
                LOG.info(
                        "cluster: no address is known of {} yet; waits for {} s at most",
                        unknown,
                        NAME_SECONDS);
            }
            try {
                second.pass();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StartException("the start was interrupted", e);
            }
        }
    }

    /** The votes of a place are one process's, also where the machine has more than one network. */
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

    /**
     * Two that start at once see the same free port, and may have folders of their own. So a
     * process that takes the place holds its number by UDP too, which nobody else needs: the kernel
     * gives that to one, and takes it back when the process ends, however it ends.
     */
    private static @Nullable DatagramChannel sign(InetSocketAddress address) {
        try {
            if (NetworkInterface.getByInetAddress(address.getAddress()) == null) {
                return null;
            }
            try (ServerSocket trial = new ServerSocket()) {
                trial.setReuseAddress(true);
                trial.bind(address);
            }
            return bound(DatagramChannel.open(), address);
        } catch (IOException taken) {
            return null;
        }
    }

    private static DatagramChannel bound(DatagramChannel sign, InetSocketAddress address)
            throws IOException {
        try {
            sign.setOption(StandardSocketOptions.SO_RCVBUF, SMALLEST_BUFFER);
            return sign.bind(address);
        } catch (IOException taken) {
            sign.close();
            throw taken;
        }
    }

    private static void release(DatagramChannel sign) throws StartException {
        try {
            sign.close();
        } catch (IOException e) {
            throw new StartException("a port cannot be given back: " + e.getMessage(), e);
        }
    }
}
