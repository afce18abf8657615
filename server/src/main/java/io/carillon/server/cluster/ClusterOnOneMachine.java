package io.carillon.server.cluster;

import io.carillon.server.config.ClusterSettings;
import io.carillon.server.config.Configuration;
import io.carillon.server.config.ListenAddress;
import io.carillon.server.config.ListenAddress.Transport;
import io.carillon.server.start.StartException;
import io.carillon.sip.hop.HostPort;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;

/**
 * A cluster to try on one machine, by a name alone: three nodes and a router on the loopback
 * address, with a key of their own in Carillon's folder. Stateless.
 */
public final class ClusterOnOneMachine {
    private static final int KEY_BYTES = 32;
    private static final String HOST = "127.0.0.1";
    private static final int SIP_PORT = 5060;
    private static final int ROUTER_PORT = 7900;
    private static final List<Integer> NODE_PORTS = List.of(7910, 7920, 7930);

    /** Node 0 has its pages there, the others behind it. */
    private static final int HTTP_PORT = 8080;

    private ClusterOnOneMachine() {}

    /**
     * Its settings, with a key that is made when there is none.
     *
     * @param clusters the folder of all clusters
     */
    public static ClusterSettings settings(String name, Path clusters) throws StartException {
        return new ClusterSettings(
                name,
                NODE_PORTS.stream().map(port -> HostPort.of(HOST, port)).toList(),
                null,
                null,
                HostPort.of(HOST, SIP_PORT),
                List.of(new ListenAddress(Transport.TCP, HostPort.of(HOST, SIP_PORT))),
                List.of(HostPort.of(HOST, ROUTER_PORT)),
                key(clusters, name),
                Duration.ofSeconds(2));
    }

    /** The configuration of the next node that is not running: SIP comes by the router alone. */
    public static Configuration node(Configuration configuration, String name, Path clusters)
            throws StartException {
        ClusterSettings settings = OwnPlace.of(settings(name, clusters), clusters);
        return configuration
                .withCluster(settings)
                .withSipListen(List.of())
                .withHttpListen(HostPort.of(HOST, HTTP_PORT + settings.member()));
    }

    private static Path key(Path folder, String name) throws StartException {
        Path file = folder.resolve(name + ".key");
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        try {
            Files.createDirectories(folder);
            Path made =
                    Files.createTempFile(
                            folder,
                            name,
                            ".new",
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rw-------")));
            try {
                Files.writeString(made, HexFormat.of().formatHex(key) + "\n");
                Files.createLink(file, made); // whole, or not at all, whoever else starts now
            } finally {
                Files.delete(made);
            }
        } catch (FileAlreadyExistsException there) {
            return file;
        } catch (IOException e) {
            throw new StartException("the key " + file + " cannot be made: " + e.getMessage(), e);
        }
        return file;
    }
}
