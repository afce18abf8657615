package io.carillon.lab.measure;

import io.carillon.lab.process.ChildProcess;
import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.Carillon;
import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.ControlCommand;
import io.carillon.lab.rig.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Two nodes with an example, a witness and a router, as processes of this checkout with a key,
 * ports and folders of their own. Owner: one thread.
 */
final class ClusterOfTwo implements AutoCloseable {
    /** Ports that it takes, the first one among them. */
    static final int PORTS = 50;

    private static final String HOST = "127.0.0.1";
    private static final int NODES = 2;
    private static final int NODE_ABOVE = 10;
    private static final int HTTP_ABOVE = 7;
    private static final int WITNESS_ABOVE = 40;
    private static final int KEY_BYTES = 32;
    private static final int PARTITIONS = 1024;

    /** Neither owns more than so many beyond its half. */
    private static final int UNEVEN = PARTITIONS / 40;

    /** A look is a command, which starts a JVM. */
    private static final long LOOK_MILLIS = 1_000;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Plan plan;
    private final Path file;
    private final List<ServerProcess> others = new ArrayList<>();
    private final List<Carillon> nodes = new ArrayList<>();

    /**
     * What is started.
     *
     * @param folder of logs
     * @param application the example that the nodes run
     * @param nodeCpus of both nodes
     * @param otherCpus of router and witness
     * @param port the router's, the first of {@link #PORTS}
     */
    record Plan(Path folder, String application, String nodeCpus, String otherCpus, int port) {}

    private ClusterOfTwo(Plan plan) throws IOException {
        this.plan = plan;
        Files.createDirectories(plan.folder());
        this.file = configuration();
    }

    /** Starts them. */
    static ClusterOfTwo start(Plan plan) throws IOException {
        ClusterOfTwo cluster = new ClusterOfTwo(plan);
        try {
            cluster.others.add(cluster.other("router"));
            cluster.others.add(cluster.other("witness"));
            for (int node = 0; node < NODES; node++) {
                cluster.nodes.add(cluster.node(node));
            }
            return cluster;
        } catch (IOException e) {
            cluster.close();
            throw e;
        }
    }

    private Path configuration() throws IOException {
        Path key = plan.folder().resolve("cluster.key");
        byte[] bytes = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(bytes);
        Files.createFile(
                key,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(key, HexFormat.of().formatHex(bytes) + "\n");
        Path made = plan.folder().resolve("cluster.yaml");
        Files.writeString(
                made,
                """
                cluster:
                  name: grid-cost
                  nodes: [%1$s:%2$d, %1$s:%3$d]
                  witness: %1$s:%4$d
                  address: %1$s:%5$d
                  routers: [%1$s:%6$d]
                  key-file: %7$s
                sip:
                  listen: []
                """
                        .formatted(
                                HOST,
                                nodePort(0),
                                nodePort(1),
                                plan.port() + WITNESS_ABOVE,
                                plan.port(),
                                plan.port() + 1,
                                key));
        return made;
    }

    private int nodePort(int node) {
        return plan.port() + NODE_ABOVE * (node + 1);
    }

    private ServerProcess other(String command) throws IOException {
        List<String> words = ChildProcess.pinned(plan.otherCpus());
        words.addAll(List.of(Folders.launcher(), command, "--config", file.toString()));
        return ServerProcess.start(
                new ServerProcess.Launch(
                        command, plan.port(), words, Map.of(), List.of("READY"), List.of()),
                plan.folder());
    }

    private Carillon node(int node) throws IOException {
        Path own = plan.folder().resolve("node" + node);
        Files.createDirectories(own);
        return Carillon.start(
                CarillonLaunch.at(plan.port())
                        .named("node" + node)
                        .on(plan.nodeCpus())
                        .http(nodePort(node) + HTTP_ABOVE)
                        .home(home(node))
                        .with("--cluster", file.toString())
                        .running(Folders.example(Folders.root(), plan.application()))
                        .behindRouter(),
                own);
    }

    private Path home(int node) {
        return plan.folder().resolve("home" + node);
    }

    /** The cluster's address. */
    int port() {
        return plan.port();
    }

    /** The one that owns all while the other keeps copies alone. */
    Carillon first() {
        return nodes.getFirst();
    }

    List<Carillon> both() {
        return List.copyOf(nodes);
    }

    /** The second node dies and comes back: for some 30 s it owns nothing, and keeps copies. */
    void secondKeepsCopiesAlone(long seconds) throws IOException {
        ServerProcess second = nodes.get(1).process();
        second.kill();
        await(seconds, "the first node to own all", view -> owns(view, 0) == PARTITIONS);
        second.restart();
        await(
                seconds,
                "two copies of all",
                view ->
                        view.path("singleCopies").asInt(-1) == 0
                                && view.path("members").path(1).path("seen").asBoolean());
    }

    /** Waits until each node owns its half, and has a copy of the other's. */
    void awaitEven(long seconds) throws IOException {
        await(
                seconds,
                "the nodes to share evenly",
                view ->
                        view.path("singleCopies").asInt(-1) == 0
                                && view.path("orphans").asInt(-1) == 0
                                && Math.abs(owns(view, 0) - PARTITIONS / NODES) <= UNEVEN
                                && Math.abs(owns(view, 1) - PARTITIONS / NODES) <= UNEVEN);
    }

    /** Partitions that the second node owns. */
    int ownedBySecond() throws IOException {
        return owns(view(), 1);
    }

    private static int owns(JsonNode view, int node) {
        return view.path("members").path(node).path("owns").asInt(-1);
    }

    private void await(long seconds, String what, Predicate<JsonNode> done) throws IOException {
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        JsonNode view = view();
        while (!done.test(view)) {
            if (System.nanoTime() - end > 0) {
                throw new IOException(
                        "waited " + seconds + " s in vain for " + what + ":\n" + view);
            }
            Pause.millis(LOOK_MILLIS);
            view = view();
        }
    }

    private JsonNode view() throws IOException {
        String said = ControlCommand.runAt(home(0), first().process(), "cluster", "--json");
        try {
            return JSON.readTree(said);
        } catch (JacksonException e) {
            throw new IOException("carillon cluster --json said: " + said.strip(), e);
        }
    }

    /** Calls are over: there is nothing to hand over. */
    @Override
    public void close() throws IOException {
        for (Carillon node : nodes) {
            node.process().kill();
            node.close();
        }
        for (ServerProcess other : others) {
            other.kill();
        }
    }
}
