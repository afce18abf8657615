package io.carillon.bench.peers;

import io.carillon.bench.load.Peer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Carillon by the launcher of a checkout.
 *
 * @param checkout built checkout; null: this one
 * @param cpus other CPUs than those of the comparison; null: those
 * @param shards event loops; 0: as the server chooses
 */
record CarillonServer(
        String name,
        String description,
        @Nullable Path checkout,
        @Nullable String cpus,
        int shards,
        boolean second)
        implements Contender {

    static CarillonServer usual() {
        return new CarillonServer(
                Contenders.CARILLON,
                "this checkout; INVITE transactions linger for 32 s",
                null,
                null,
                0,
                false);
    }

    static CarillonServer baseline(Path checkout) {
        return new CarillonServer(
                "baseline", "Carillon of the checkout " + checkout, checkout, null, 0, true);
    }

    @Override
    public Peer.Launch launch(Site site, Path folder) throws IOException {
        Path root = checkout == null ? site.root() : checkout;
        Path launcher = root.resolve("carillon");
        Path archive = Peer.example(root, site.application());
        if (!Files.isExecutable(launcher) || !Files.isRegularFile(archive)) {
            throw new IOException(root + " is not a built checkout of Carillon: no " + archive);
        }
        int port = second ? site.ports().baseline() : site.ports().carillon();
        List<String> command = (cpus == null ? site : site.on(cpus)).pinned();
        command.addAll(List.of(launcher.toString(), "run", archive.toString()));
        String sip = "udp:127.0.0.1:" + port + ",tcp:127.0.0.1:" + port;
        command.addAll(List.of("--sip", sip, "--http", "127.0.0.1:0"));
        command.addAll(site.serverArguments());
        String configuration = configuration(site);
        if (!configuration.isEmpty()) {
            Files.createDirectories(folder);
            Path file = folder.resolve(name + ".yaml");
            Files.writeString(file, configuration);
            command.addAll(List.of("--config", file.toString()));
        }
        return new Peer.Launch(name, port, command, Map.of(), List.of("READY"), List.of());
    }

    private String configuration(Site site) {
        String settings =
                (site.trying() ? "  trying: immediate\n" : "")
                        + (shards > 0 ? "  shards: " + shards + "\n" : "");
        return settings.isEmpty() ? "" : "sip:\n" + settings;
    }
}
