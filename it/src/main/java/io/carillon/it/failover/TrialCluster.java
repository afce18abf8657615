package io.carillon.it.failover;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.server.HomeFolder;
import io.carillon.server.cluster.ClusterText;
import io.carillon.server.cluster.ClusterView;
import io.carillon.server.control.ControlClient;
import io.carillon.server.control.ControlFolder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Three nodes and a router of a cluster of their own, as processes with their own ports, key and
 * folders. They end with this object, each by its own process. Owner: one thread.
 */
final class TrialCluster implements AutoCloseable {
    static final int NODES = 3;
    private static final String HOST = "127.0.0.1";
    private static final int NODE_PORTS = 10;
    private static final int HTTP_ABOVE = 5;
    private static final int KEY_BYTES = 32;
    private static final long LOOK_MILLIS = 500;

    private final Path folder;
    private final int port;
    private final List<CarillonLaunch> launches = new ArrayList<>();
    private final List<@Nullable ServerProcess> nodes = new ArrayList<>();
    private @Nullable ServerProcess router;

    /** Node and what it says. */
    record Answer(int node, ClusterView view) {}

    /**
     * Writes what they need.
     *
     * @param port the first of 40
     * @param ringMillis how long the application uas rings
     */
    TrialCluster(Path folder, int port, long ringMillis) throws IOException {
        this.folder = folder;
        this.port = port;
        Path key = folder.resolve("cluster.key");
        byte[] bytes = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(bytes);
        Files.createFile(
                key,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(key, HexFormat.of().formatHex(bytes) + "\n");
        Path applications = folder.resolve("router.properties");
        Files.writeString(applications, applications());
        Files.writeString(folder.resolve("router.yaml"), configuration(-1, key));
        for (int node = 0; node < NODES; node++) {
            Path file = folder.resolve("node" + node + ".yaml");
            Files.writeString(file, configuration(node, key));
            launches.add(launch(node, file, applications, ringMillis));
            nodes.add(null);
        }
    }

    private static String applications() {
        StringBuilder text = new StringBuilder("ALL: ");
        int number = 0;
        for (Kind kind : Kind.values()) {
            String name = kind.application();
            text.append(number == 0 ? "" : ", ")
                    .append(
                            "(\""
                                    + name
                                    + "\", \"DAR:From\", \"TERMINATING\", \"\", \"NO_ROUTE\", \"")
                    .append(number++)
                    .append("\", \"USER=" + name + " DIRECTION=INBOUND\")");
        }
        return text.append('\n').toString();
    }

    private String configuration(int node, Path key) {
        List<String> addresses = new ArrayList<>();
        for (int each = 0; each < NODES; each++) {
            addresses.add(HOST + ":" + nodePort(each));
        }
        return "cluster:\n  name: failover\n"
                + (node < 0 ? "" : "  listen: " + HOST + ":" + nodePort(node) + "\n")
                + "  nodes: "
                + addresses
                + "\n  address: "
                + HOST
                + ":"
                + port
                + "\n  routers: ["
                + HOST
                + ":"
                + (port + 1)
                + "]\n  key-file: "
                + key
                + "\nsip:\n  listen: []\n";
    }

    private int nodePort(int node) {
        return port + NODE_PORTS * (node + 1);
    }

    private CarillonLaunch launch(int node, Path file, Path applications, long ringMillis)
            throws IOException {
        CarillonLaunch launch =
                CarillonLaunch.at(port)
                        .named("node" + node)
                        .http(nodePort(node) + HTTP_ABOVE)
                        .home(home(node))
                        .with("--cluster", file.toString(), "--router", applications.toString())
                        .with("--param", "uas.ring-millis=" + ringMillis)
                        .environment("CARILLON_START_CACHE", "off");
        for (Kind kind : Kind.values()) {
            launch = launch.running(Folders.example(Folders.root(), kind.application()));
        }
        return launch;
    }

    private Path home(int node) {
        return folder.resolve("node" + node);
    }

    /** The router's address, which is the cluster's. */
    InetSocketAddress address() {
        return new InetSocketAddress(HOST, port);
    }

    /** Starts them all at once. */
    void start() throws IOException {
        router = ServerProcess.start(routerLaunch(), folder);
        List<FutureTask<ServerProcess>> starts = new ArrayList<>();
        for (CarillonLaunch launch : launches) {
            FutureTask<ServerProcess> start = new FutureTask<>(() -> startNode(launch));
            Thread.ofPlatform().name("start-" + launch.name()).start(start);
            starts.add(start);
        }
        IOException failure = null;
        for (int node = 0; node < NODES; node++) {
            try {
                nodes.set(node, starts.get(node).get());
            } catch (ExecutionException e) {
                failure = new IOException(String.valueOf(e.getMessage()), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private ServerProcess startNode(CarillonLaunch launch) throws IOException {
        ServerProcess.Launch usual = launch.launch();
        List<String> command = new ArrayList<>(usual.command());
        int sip = command.indexOf("--sip"); // all comes by the router
        command.subList(sip, sip + 2).clear();
        return ServerProcess.start(
                new ServerProcess.Launch(
                        usual.name(),
                        usual.port(),
                        command,
                        usual.environment(),
                        usual.signs(),
                        usual.faults()),
                folder);
    }

    private ServerProcess.Launch routerLaunch() {
        return new ServerProcess.Launch(
                "router",
                port,
                List.of(
                        Folders.launcher(),
                        "router",
                        "--config",
                        folder.resolve("router.yaml").toString()),
                Map.of(),
                List.of("READY"),
                List.of());
    }

    /** What a node says of the cluster. */
    ClusterView view(int node) throws IOException {
        Path socket =
                ControlFolder.of(null, new HomeFolder(home(node)).control())
                        .socket(node(node).pid());
        return ClusterText.parse(ControlClient.ask(socket, "cluster"));
    }

    private ServerProcess node(int node) throws IOException {
        ServerProcess process = nodes.get(node);
        if (process == null) {
            throw new IOException("node " + node + " does not run");
        }
        return process;
    }

    /** Waits until all nodes are there and each partition has an owner and two copies. */
    void awaitWhole(long seconds) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        String last = "";
        while (System.nanoTime() - deadline < 0) {
            boolean whole = true;
            for (int node = 0; node < NODES; node++) {
                node(node).checkAlive();
                ClusterView view = view(node);
                last = ClusterText.head(view);
                whole &= isWhole(view);
            }
            if (whole) {
                return;
            }
            Pause.millis(LOOK_MILLIS);
        }
        throw new IOException("the cluster was not whole within " + seconds + " s:\n" + last);
    }

    private static boolean isWhole(ClusterView view) {
        return view.lease()
                && view.orphans() == 0
                && view.singleCopies() == 0
                && view.members().stream()
                        .allMatch(member ->
                                member.seen()
                                        && member.owns() > 0
                                        && member.standing().equals("stable"));
    }

    /** A node to lose: the one that leads the voters, or one that does not. */
    int victim(boolean coordinator) throws IOException {
        for (int node = NODES - 1; node >= 0; node--) {
            if (view(node).leads() == coordinator) {
                return node;
            }
        }
        throw new IOException("no node " + (coordinator ? "leads the voters" : "follows"));
    }

    /** SIGKILL: no hook of it runs. */
    void kill(int node) throws IOException {
        signal("KILL", node);
    }

    /** It gets no more processor. */
    void stop(int node) throws IOException {
        signal("STOP", node);
    }

    /** It goes on where it was. */
    void goOn(int node) throws IOException {
        signal("CONT", node);
    }

    private void signal(String name, int node) throws IOException {
        Process kill =
                new ProcessBuilder("kill", "-" + name, Long.toString(node(node).pid()))
                        .inheritIO()
                        .start();
        try {
            if (kill.waitFor() != 0) {
                throw new IOException("node " + node + " cannot be sent " + name);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Starts a node that was killed. */
    void restart(int node) throws IOException {
        ServerProcess process = node(node);
        process.kill(); // reaps it
        process.restart();
    }

    @Override
    public void close() throws IOException {
        IOException failure = null;
        List<ServerProcess> all = new ArrayList<>();
        for (ServerProcess node : nodes) {
            if (node != null) {
                all.add(node);
            }
        }
        ServerProcess front = router;
        if (front != null) {
            all.add(front);
        }
        for (ServerProcess each : all) {
            try {
                each.kill(); // calls are over: nothing to drain
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
