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
import java.util.List;
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
 * @param execution that it declares for the application, whatever the archive says; null: none
 */
record CarillonServer(
        String name,
        String description,
        @Nullable Path checkout,
        @Nullable String plain,
        boolean everywhere,
        int shards,
        boolean second,
        @Nullable String execution)
        implements Contender {

    /** Where handlers may run: the values of {@link #EXECUTION}, the default first. */
    static final List<String> MODES = List.of("adaptive", "blocking", "non-blocking");

    /** Before the mode, in the name of a server that declares one. */
    static final String DECLARED = Contenders.CARILLON + "-";

    private static final String EXECUTION = "io.carillon.execution";
    private static final String UNDECLARED = MODES.getFirst();

    static CarillonServer usual() {
        return new CarillonServer(
                Contenders.CARILLON,
                "this checkout; INVITE transactions linger for 32 s",
                null,
                null,
                false,
                0,
                false,
                null);
    }

    /** This checkout with a mode of execution declared for the application. */
    static CarillonServer declared(String mode) {
        return new CarillonServer(
                DECLARED + mode,
                "this checkout with " + EXECUTION + " = " + mode,
                null,
                null,
                false,
                0,
                true,
                mode);
    }

    static CarillonServer baseline(Path checkout) {
        return new CarillonServer(
                "baseline",
                "Carillon of the checkout " + checkout,
                checkout,
                null,
                false,
                0,
                true,
                null);
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
                false,
                null);
    }

    /** As {@link #usual}, at a port of its own; whoever starts it adds traces. */
    static CarillonServer forTraces() {
        return new CarillonServer(
                "traced",
                "this checkout with telemetry.traces at 1 %, which a collector throws away",
                null,
                null,
                false,
                0,
                true,
                null);
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
                true,
                null);
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
                true,
                null);
    }

    @Override
    public String objection(Site site) {
        if (plain != null && (site.application().isOwn() || !isProxy(site))) {
            return name + " is a proxy of its own: it goes with --application proxy alone";
        }
        if (site.asShipped() && (plain != null || shards > 0)) {
            return name + " is not as shipped: --as-shipped goes with " + Contenders.CARILLON;
        }
        return "";
    }

    private static boolean isProxy(Site site) {
        return site.application().name().equals("proxy");
    }

    @Override
    public ServerProcess.Launch launch(Site site, Path folder) throws IOException {
        Path root = checkout == null ? site.root() : checkout;
        Path launcher = Folders.launcher(root);
        Path archive = archive(root, site);
        if (!Files.isExecutable(launcher)) {
            throw new IOException(root + " is not a checkout of Carillon: no " + launcher);
        }
        if (!Files.isRegularFile(archive)) {
            throw new IOException(
                    site.application().isOwn()
                            ? "the archive is gone: " + archive
                            : root + " is not a built checkout of Carillon: no " + archive);
        }
        int port = port(site.ports());
        CarillonLaunch launch =
                CarillonLaunch.of(root, port)
                        .named(name)
                        .on((everywhere ? site.everywhere() : site).cpus().server())
                        .running(archive)
                        .with(declaration(site))
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

    private int port(Ports ports) {
        if (execution != null) {
            return ports.declared(MODES.indexOf(execution));
        }
        return second ? ports.baseline() : ports.carillon();
    }

    private Path archive(Path root, Site site) {
        return plain == null
                ? site.application().file(root)
                : root.resolve("examples/plain-objects")
                        .resolve(plain)
                        .resolve("target")
                        .resolve(plain + ".war");
    }

    /**
     * The context parameter that wins over the archive's. As shipped nothing is declared, which is
     * the default over an archive that declares something.
     */
    private List<String> declaration(Site site) {
        String mode = execution;
        if (mode == null && site.asShipped()) {
            mode = site.application().execution().equals(UNDECLARED) ? null : UNDECLARED;
        }
        return mode == null
                ? List.of()
                : List.of("--param", site.application().name() + "." + EXECUTION + "=" + mode);
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
