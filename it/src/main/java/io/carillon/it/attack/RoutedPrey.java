package io.carillon.it.attack;

import io.carillon.lab.process.Folders;
import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A server that is attacked by way of a router: a cluster of one node. The router listens where the
 * server would.
 */
final class RoutedPrey {
    private static final int KEY_BYTES = 32;
    private static final int LINK_ABOVE = 10;
    private static final int NODE_ABOVE = 20;
    private static final int HTTP_ABOVE = 13_020;

    private RoutedPrey() {}

    /**
     * Writes the file of node and router.
     *
     * @param more its other sections
     */
    static Path configuration(Path folder, int port, String more) throws IOException {
        Path key = folder.resolve("cluster.key");
        byte[] bytes = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(bytes);
        Files.createFile(
                key,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(key, HexFormat.of().formatHex(bytes) + "\n");
        String streams =
                Stream.of(Door.TLS, Door.WS, Door.WSS)
                        .map(door -> door.calls() + ":127.0.0.1:" + (port + door.above()))
                        .collect(Collectors.joining(", "));
        Path file = folder.resolve("cluster.yaml");
        Files.writeString(
                file,
                """
                cluster:
                  name: attacks
                  nodes: [127.0.0.1:%2$d]
                  address: 127.0.0.1:%1$d
                  streams: [tcp:127.0.0.1:%1$d, %4$s]
                  routers: [127.0.0.1:%3$d]
                  key-file: %5$s
                sip:
                  listen: []
                """
                                .formatted(port, port + NODE_ABOVE, port + LINK_ABOVE, streams, key)
                        + more);
        return file;
    }

    /** The node, in a folder of its own. */
    static CarillonLaunch node(Path folder, int port, Path configuration) throws IOException {
        return CarillonLaunch.at(port)
                .behindRouter()
                .http(port + HTTP_ABOVE)
                .home(folder.resolve("home"))
                .with("--cluster", configuration.toString())
                .running(Folders.example(Folders.root(), "uas"));
    }

    /** The router before it. */
    static ServerProcess router(Path folder, int port, Path configuration) throws IOException {
        return ServerProcess.start(
                new ServerProcess.Launch(
                        "router",
                        port,
                        List.of(Folders.launcher(), "router", "--config", configuration.toString()),
                        Map.of(),
                        List.of("READY"),
                        List.of()),
                folder);
    }
}
