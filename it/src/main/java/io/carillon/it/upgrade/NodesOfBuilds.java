package io.carillon.it.upgrade;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.RunCertificate;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.server.HomeFolder;
import io.carillon.server.cluster.ClusterText;
import io.carillon.server.cluster.ClusterView;
import io.carillon.server.control.ControlClient;
import io.carillon.server.control.ControlFolder;
import io.carillon.sip.token.Ownership;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Nodes and a router of a cluster of their own, as processes with their own ports, key and folders;
 * some of the nodes may come later. They end with this object, each by its own process. Owner: one
 * thread.
 */
final class NodesOfBuilds implements AutoCloseable {
    private static final List<String> APPLICATIONS = List.of("uas", "b2bua", "proxy");
    private static final String HOST = "127.0.0.1";
    private static final int NODE_PORTS = 10;
    private static final int HTTP_ABOVE = 5;

    /** The first port of streams, behind those of three nodes. */
    private static final int STREAMS_ABOVE = 45;

    private static final int KEY_BYTES = 32;
    private static final long LOOK_MILLIS = 500;
    private static final long LEAVE_LOOK_MILLIS = 20;

    private final Path folder;
    private final int port;
    private final List<String> streams;
    private final List<CarillonLaunch> launches = new ArrayList<>();
    private final Set<String> started = new HashSet<>();
    private final List<@Nullable ServerProcess> nodes = new ArrayList<>();
    private @Nullable ServerProcess router;

    /**
     * Writes what they need.
     *
     * @param port the first of 50
     * @param build what they run at first; the router is of this checkout
     * @param most nodes that there may be; three where there are streams
     * @param streams as tcp and wss, by which the router is reached beside UDP
     */
    NodesOfBuilds(Path folder, int port, Build build, int most, List<String> streams)
            throws IOException {
        this.folder = folder;
        this.port = port;
        this.streams = List.copyOf(streams);
        Path key = folder.resolve("cluster.key");
        byte[] bytes = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(bytes);
        Files.createFile(
                key,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(key, HexFormat.of().formatHex(bytes) + "\n");
        Files.writeString(routes(), applications());
        for (int node = 0; node < most; node++) {
            nodes.add(null);
        }
        Files.writeString(folder.resolve("router.yaml"), configuration(-1, key));
        for (int node = 0; node < most; node++) {
            Files.writeString(file(node), configuration(node, key));
            launches.add(launch(node, build));
        }
    }

    private static String applications() {
        StringBuilder text = new StringBuilder("ALL: ");
        int number = 0;
        for (String name : APPLICATIONS) {
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

    private String configuration(int node, Path key) throws IOException {
        List<String> addresses = new ArrayList<>();
        for (int each = 0; each < nodes.size(); each++) {
            addresses.add(HOST + ":" + nodePort(each));
        }
        return "cluster:\n  name: upgrade\n"
                + (node < 0 ? "" : "  listen: " + HOST + ":" + nodePort(node) + "\n")
                + "  nodes: "
                + addresses
                + "\n  address: "
                + HOST
                + ":"
                + port
                + (streams.isEmpty() ? "" : "\n  streams: " + listeners())
                + "\n  routers: ["
                + HOST
                + ":"
                + (port + 1)
                + "]\n  key-file: "
                + key
                + "\nsip:\n  listen: []\n"
                + (streams.isEmpty() ? "" : RunCertificate.in(folder).yaml());
    }

    private List<String> listeners() {
        return doors().entrySet().stream()
                .map(each -> each.getKey() + ":" + HOST + ":" + each.getValue().getPort())
                .toList();
    }

    private int nodePort(int node) {
        return port + NODE_PORTS * (node + 1);
    }

    private Path file(int node) {
        return folder.resolve("node" + node + ".yaml");
    }

    private Path routes() {
        return folder.resolve("router.properties");
    }

    private CarillonLaunch launch(int node, Build build) throws IOException {
        String name = "node" + node;
        for (int life = 2; !started.add(name); life++) {
            name = "node" + node + "-" + life;
        }
        CarillonLaunch launch =
                CarillonLaunch.of(build.checkout(), port)
                        .named(name)
                        .http(nodePort(node) + HTTP_ABOVE)
                        .home(home(node))
                        .with("--cluster", file(node).toString(), "--router", routes().toString())
                        .with("--param", "uas.ring-millis=0");
        for (String option : build.jvm()) {
            launch = launch.with("--jvm", option);
        }
        for (String application : APPLICATIONS) {
            launch = launch.running(Folders.example(Folders.root(), application));
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

    /** Where the router is reached by each of the streams. */
    Map<String, InetSocketAddress> doors() {
        Map<String, InetSocketAddress> all = new TreeMap<>();
        for (String stream : streams) {
            all.put(stream, new InetSocketAddress(HOST, port + STREAMS_ABOVE + all.size()));
        }
        return all;
    }

    /** How many nodes run. */
    int running() {
        return (int) nodes.stream().filter(Objects::nonNull).count();
    }

    /** Starts the router and that many nodes at once. */
    void start(int first) throws IOException {
        router = ServerProcess.start(routerLaunch(), folder);
        List<Callable<ServerProcess>> starts = new ArrayList<>();
        for (CarillonLaunch launch : launches.subList(0, first)) {
            starts.add(() -> startNode(launch));
        }
        ServerProcess.startAtOnce(starts, nodes::set);
    }

    /** Starts one that did not run yet. */
    void join(int node) throws IOException {
        nodes.set(node, startBesideOthers(launches.get(node)));
    }

    private ServerProcess startBesideOthers(CarillonLaunch launch) throws IOException {
        ServerProcess process =
                ServerProcess.start(StartPriority.lowered(launch.behindRouter().launch()), folder);
        StartPriority.raise(process);
        return process;
    }

    private ServerProcess startNode(CarillonLaunch launch) throws IOException {
        return launch.behindRouter().start(folder);
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
        Path socket = control(node).socket(node(node).pid());
        return ClusterText.parse(ControlClient.ask(socket, "cluster"));
    }

    private ControlFolder control(int node) {
        return ControlFolder.of(null, new HomeFolder(home(node)).control());
    }

    private ServerProcess node(int node) throws IOException {
        ServerProcess process = nodes.get(node);
        if (process == null) {
            throw new IOException("node " + node + " does not run");
        }
        return process;
    }

    private void await(long seconds, String fault, Predicate<ClusterView> done) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() - deadline < 0) {
            boolean all = true;
            for (int node : all()) {
                node(node).checkAlive();
                all &= done.test(view(node));
            }
            if (all) {
                return;
            }
            Pause.millis(LOOK_MILLIS);
        }
        StringBuilder last = new StringBuilder();
        for (int node : all()) {
            ClusterView view = view(node);
            last.append('\n').append(ClusterText.head(view));
            view.members().forEach(member -> last.append(member).append('\n'));
        }
        throw new IOException("the cluster " + fault + " within " + seconds + " s:" + last);
    }

    /** Waits until it is whole, and each node owns its share but for a twentieth. */
    void awaitEven(long seconds) throws IOException {
        int least = Ownership.PARTITIONS / running() * 19 / 20;
        await(
                seconds,
                "was not whole and even",
                view ->
                        view.lease()
                                && view.orphans() == 0
                                && view.singleCopies() == 0
                                && all().stream()
                                        .map(view.members()::get)
                                        .allMatch(member ->
                                                member.seen()
                                                        && member.owns() >= least
                                                        && member.standing().equals("stable")));
    }

    private List<Integer> all() {
        return IntStream.range(0, nodes.size())
                .filter(node -> nodes.get(node) != null)
                .boxed()
                .toList();
    }

    /** Records that some node could not take over, since each of them started. */
    long notTakenOver() throws IOException {
        long sum = 0;
        for (int node : all()) {
            sum += view(node).calls().lost();
        }
        return sum;
    }

    /**
     * Has a node give its calls to the others, and waits for its end.
     *
     * @return seconds until its process was gone
     */
    double leave(int node, long mostSeconds) throws IOException {
        ServerProcess process = node(node);
        long begin = System.nanoTime();
        String said = ControlClient.ask(control(node).socket(process.pid()), "stop");
        long end = begin + TimeUnit.SECONDS.toNanos(mostSeconds);
        while (ProcessHandle.of(process.pid()).map(ProcessHandle::isAlive).orElse(false)) {
            if (System.nanoTime() - end > 0) {
                throw new IOException(
                        "node " + node + " did not end in " + mostSeconds + " s: " + said);
            }
            Pause.millis(LEAVE_LOOK_MILLIS);
        }
        return (System.nanoTime() - begin) / 1e9;
    }

    /** A node that has left does not run any more. */
    void forget(int node) throws IOException {
        node(node).kill(); // reaps it
        nodes.set(node, null);
    }

    /** Starts a build in the place of a node that has ended. */
    void replace(int node, Build build) throws IOException {
        node(node).kill(); // reaps it
        CarillonLaunch launch = launch(node, build);
        launches.set(node, launch);
        nodes.set(node, startBesideOthers(launch));
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
