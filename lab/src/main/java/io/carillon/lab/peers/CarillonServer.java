package io.carillon.lab.peers;

import io.carillon.lab.process.Folders;
import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.RunCertificate;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.sip.hop.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Carillon by the launcher of a checkout.
 *
 * @param checkout built checkout; null: this one
 * @param plain example of plain objects that runs in place of the proxy's servlet; null: none
 * @param everywhere on the CPUs of the load too
 * @param shards event loops; 0: as the server chooses
 * @param second on the second of Carillon's ports, for two at once
 */
record CarillonServer(
        String name,
        String description,
        @Nullable Path checkout,
        @Nullable String plain,
        boolean everywhere,
        int shards,
        boolean second)
        implements Contender {

    static CarillonServer usual() {
        return new CarillonServer(
                Contenders.CARILLON,
                "this checkout; INVITE transactions linger for 32 s",
                null,
                null,
                false,
                0,
                false);
    }

    static CarillonServer baseline(Path checkout) {
        return new CarillonServer(
                "baseline", "Carillon of the checkout " + checkout, checkout, null, false, 0, true);
    }

    /** One event loop on the server's CPU. */
    static CarillonServer oneShard() {
        return new CarillonServer(
                "one-shard",
                "Carillon with one shard on the server's CPU",
                null,
                null,
                false,
                1,
                false);
    }

    /** Two event loops on all CPUs, the load among them. */
    static CarillonServer twoShards() {
        return new CarillonServer(
                "two-shards",
                "Carillon with two shards on the server's CPU and on that of the load, which they share",
                null,
                null,
                true,
                2,
                true);
    }

    /** The proxy as a plain object, alone or under a framework. */
    static CarillonServer plain(String name, String example) {
        return new CarillonServer(
                name,
                "Carillon with the proxy of examples/plain-objects/" + example,
                null,
                example,
                false,
                0,
                true);
    }

    @Override
    public ServerProcess.Launch launch(Site site, Path folder) throws IOException {
        Path root = checkout == null ? site.root() : checkout;
        Path launcher = root.resolve("carillon");
        Path archive = archive(root, site);
        if (!Files.isExecutable(launcher) || !Files.isRegularFile(archive)) {
            throw new IOException(root + " is not a built checkout of Carillon: no " + archive);
        }
        int port = second ? site.ports().baseline() : site.ports().carillon();
        CarillonLaunch launch =
                CarillonLaunch.of(root, port)
                        .named(name)
                        .on((everywhere ? site.everywhere() : site).cpus().server())
                        .running(archive)
                        .with(site.serverArguments());
        if (site.transport() != Transport.UDP) {
            launch = launch.listening(site.transport().parameter() + ":127.0.0.1:" + port);
        }
        String configuration = configuration(site) + tls(site, folder);
        if (!configuration.isEmpty()) {
            Files.createDirectories(folder);
            Path file = folder.resolve(name + ".yaml");
            Files.writeString(file, configuration);
            launch = launch.with("--config", file.toString());
        }
        return launch.launch();
    }

    private Path archive(Path root, Site site) throws IOException {
        if (plain == null) {
            return Folders.example(root, site.application());
        }
        if (!site.application().equals("proxy")) {
            throw new IOException(name + " is a proxy: --application proxy");
        }
        return root.resolve("examples/plain-objects")
                .resolve(plain)
                .resolve("target")
                .resolve(plain + ".war");
    }

    /** The load's certificate is its own, made for the run, as ours is. */
    private static String tls(Site site, Path folder) throws IOException {
        if (!site.transport().secure()) {
            return "";
        }
        return RunCertificate.in(folder).yaml();
    }

    @Override
    public Set<Transport> transports() {
        return EnumSet.allOf(Transport.class);
    }

    private String configuration(Site site) {
        String settings =
                (site.trying() ? "  trying: immediate\n" : "")
                        + (shards > 0 ? "  shards: " + shards + "\n" : "");
        return settings.isEmpty() ? "" : "sip:\n" + settings;
    }
}
