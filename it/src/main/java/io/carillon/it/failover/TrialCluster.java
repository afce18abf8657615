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
import io.carillon.sip.token.Ownership;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a cluster, its witness and its router, as processes with their own ports, key and
 * folders. They end with this object, each by its own process. Owner: one thread; {@link #view} any
 * thread.
 */
public final class TrialCluster implements AutoCloseable {
    private static final int HTTP_ABOVE = 5;
    private static final int PARTITIONS = 1024;
    private static final long LOOK_MILLIS = 500;
    private static final long LEAD_SECONDS = 30;

    private final Plan plan;
    private final ClusterFiles files;
    private final List<CarillonLaunch> launches = new ArrayList<>();
    private final List<@Nullable ServerProcess> nodes = new ArrayList<>();
    private final List<ServerProcess> others = new ArrayList<>();
    private final List<ServerProcess> routers = new ArrayList<>();

    /**
     * What is started.
     *
     * @param folder of logs
     * @param site where
     * @param nodes how many
     * @param witness is there one?
     * @param port the first of 50
     * @param ringMillis how long the application uas rings
     * @param more what the nodes run and read beside that
     */
    record Plan(
            Path folder,
            Site site,
            int nodes,
            boolean witness,
            int port,
            long ringMillis,
            More more) {}

    /**
     * What the nodes run and read beside the trial's own.
     *
     * @param examples applications of this checkout
     * @param routing further lines of the application router's file
     * @param configuration further sections
     * @param front what stands before them
     */
    public record More(List<String> examples, String routing, String configuration, Front front) {
        /** With one router of UDP. */
        public More(List<String> examples, String routing, String configuration) {
            this(examples, routing, configuration, Front.ONE);
        }

        /** Nothing beside. */
        public static final More NOTHING = new More(List.of(), "", "");
    }

    /**
     * The routers.
     *
     * @param routers how many; the links of further ones are on the ports behind the first
     * @param cluster further lines of the section {@code cluster}, of all
     * @param sections further sections, of routers alone
     * @param second where the second one listens
     */
    public record Front(int routers, String cluster, String sections, List<String> second) {
        static final Front ONE = new Front(1, "", "", List.of());
    }

    /** Three nodes on the loopback address that run more than calls; the first of 50 ports. */
    public static TrialCluster of(Path folder, int port, More more) throws IOException {
        return new TrialCluster(new Plan(folder, Site.LOOPBACK, 3, false, port, 0, more));
    }

    /** Writes what they need. */
    TrialCluster(Plan plan) throws IOException {
        this.plan = plan;
        this.files =
                new ClusterFiles(
                        plan.folder(),
                        plan.site(),
                        plan.port(),
                        plan.nodes(),
                        plan.witness(),
                        plan.more());
        for (int node = 0; node < plan.nodes(); node++) {
            launches.add(launch(node));
            nodes.add(null);
        }
    }

    private CarillonLaunch launch(int node) throws IOException {
        CarillonLaunch launch =
                CarillonLaunch.at(plan.port())
                        .named("node" + node)
                        .http(files.nodePort(node) + HTTP_ABOVE)
                        .home(home(node))
                        .with("--cluster", files.node(node).toString())
                        .with("--router", files.routing().toString())
                        .with("--param", "uas.ring-millis=" + plan.ringMillis())
                        .with("--jvm", "-Dcarillon.trial.store=" + files.trouble())
                        .with("--param", Kind.TRIAL + ".node=" + node)
                        .with("--param", Kind.TRIAL + ".timer-log=" + files.timers(node))
                        .running(files.archive());
        for (String example : plan.more().examples()) {
            launch = launch.running(Folders.example(Folders.root(), example));
        }
        for (Kind kind : Kind.values()) {
            if (kind.isExample()) {
                launch = launch.running(Folders.example(Folders.root(), kind.application()));
            }
        }
        return launch;
    }

    private Path home(int node) {
        return plan.folder().resolve("node" + node);
    }

    public int size() {
        return plan.nodes();
    }

    /**
     * What befalls the grid from now on, as {@code TrialStore} of the server has it; or nothing.
     */
    void trouble(String what) throws IOException {
        Path written = files.trouble().resolveSibling("trouble-to-come");
        Files.writeString(written, what);
        Files.move(
                written,
                files.trouble(),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    /** What its nodes have written of the timers that fired. */
    FiredTimers timers() throws IOException {
        List<Path> logs = new ArrayList<>();
        for (int node = 0; node < size(); node++) {
            logs.add(files.timers(node));
        }
        return FiredTimers.read(logs);
    }

    /** The router's address, which is the cluster's. */
    public InetSocketAddress address() {
        return new InetSocketAddress(plan.site().router(), plan.port());
    }

    /** Starts them all at once. */
    public void start() throws IOException {
        CarillonLaunch.recordStart(Folders.root());
        for (int router = 0; router < plan.more().front().routers(); router++) {
            routers.add(ServerProcess.start(routerLaunch(router), plan.folder()));
        }
        if (plan.witness()) {
            others.add(ServerProcess.start(witnessLaunch(), plan.folder()));
        }
        List<Callable<ServerProcess>> starts = new ArrayList<>();
        for (CarillonLaunch launch : launches) {
            int node = starts.size();
            starts.add(() -> startNode(launch, node));
        }
        ServerProcess.startAtOnce(starts, nodes::set);
    }

    private ServerProcess startNode(CarillonLaunch launch, int node) throws IOException {
        ServerProcess.Launch usual = launch.behindRouter().launch();
        List<String> command = new ArrayList<>(plan.site().inNode(node));
        command.addAll(usual.command());
        return ServerProcess.start(
                new ServerProcess.Launch(
                        usual.name(),
                        usual.port(),
                        command,
                        usual.environment(),
                        usual.signs(),
                        usual.faults()),
                plan.folder());
    }

    private ServerProcess.Launch routerLaunch(int number) {
        List<String> more = new ArrayList<>();
        if (plan.more().front().routers() > 1) {
            more.addAll(List.of("--link", plan.site().router() + ":" + (plan.port() + 1 + number)));
        }
        if (number > 0) {
            plan.more().front().second().forEach(each -> more.addAll(List.of("--listen", each)));
        }
        return launch(
                number == 0 ? "router" : "router" + number, plan.site().inRouter(), "router", more);
    }

    /** SIGKILL to a router. */
    public void killRouter(int number) throws IOException {
        routers.get(number).kill();
    }

    /** It has no calls: it may have the load's processor. */
    private ServerProcess.Launch witnessLaunch() throws IOException {
        Files.createDirectories(home(size()));
        return launch("witness", plan.site().inNode(size()), "witness", List.of());
    }

    private ServerProcess.Launch launch(
            String name, List<String> before, String command, List<String> more) {
        List<String> all = new ArrayList<>(before);
        all.addAll(List.of(Folders.launcher(), command, "--config", files.router().toString()));
        all.addAll(more);
        return new ServerProcess.Launch(
                name, plan.port(), all, Map.of(), List.of("READY"), List.of());
    }

    /** What a node says of the cluster. */
    ClusterView view(int node) throws IOException {
        return ClusterText.parse(ask(node, "cluster", ""));
    }

    /** How many partitions a node owns, as another one says. */
    public int owned(int asked, int owner) throws IOException {
        return view(asked).members().get(owner).owns();
    }

    /** What a node answers to a command. */
    public String ask(int node, String command, String argument) throws IOException {
        Path socket = socket(node);
        return argument.isEmpty()
                ? ControlClient.ask(socket, command)
                : ControlClient.ask(socket, command, argument);
    }

    /** The folder of a node's control socket. */
    public Path control(int node) throws IOException {
        return Objects.requireNonNull(socket(node).getParent());
    }

    private Path socket(int node) throws IOException {
        return ControlFolder.of(null, new HomeFolder(home(node)).control())
                .socket(node(node).pid());
    }

    /** The process of a node. */
    public long pid(int node) throws IOException {
        return node(node).pid();
    }

    private ServerProcess node(int node) throws IOException {
        ServerProcess process = nodes.get(node);
        if (process == null) {
            throw new IOException("node " + node + " does not run");
        }
        return process;
    }

    private boolean isWhole(ClusterView view) {
        return isProtected(view)
                && view.members().stream()
                        .limit(size())
                        .allMatch(
                                member -> member.owns() > 0 && member.standing().equals("stable"));
    }

    private static boolean isProtected(ClusterView view) {
        return view.lease()
                && view.orphans() == 0
                && view.singleCopies() == 0
                && view.members().stream().allMatch(ClusterView.MemberView::seen);
    }

    /** Waits until all are there, and there are two copies of all; some may own nothing yet. */
    void awaitProtected(long seconds) throws IOException {
        await(seconds, "had not two copies of all", TrialCluster::isProtected);
    }

    /** Waits until all nodes are there and each partition has an owner and two copies. */
    public void awaitWhole(long seconds) throws IOException {
        await(seconds, "was not whole", this::isWhole);
    }

    /**
     * The same, and no more partitions move: each node has its share of them, but for 5 %, and the
     * table has stayed as it is for some seconds. Owners, and who would be the next, follow the
     * copies until then.
     */
    public void awaitEven(long seconds) throws IOException {
        int least = Ownership.PARTITIONS / size() * 19 / 20;
        Steady steady = new Steady();
        await(
                seconds,
                "was not whole, even and at rest",
                view -> {
                    boolean still = steady.is(view.version());
                    return still
                            && isWhole(view)
                            && view.members().stream()
                                    .limit(size())
                                    .allMatch(member -> member.owns() >= least);
                });
    }

    /** Waits until the table that this node knows has stayed as it is for some seconds. */
    public void awaitRest(int node, long seconds) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        Steady steady = new Steady();
        while (!steady.is(view(node).version())) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("partitions still move after " + seconds + " s");
            }
            Pause.millis(LOOK_MILLIS);
        }
    }

    /** Since when all nodes have had the same table. One thread. */
    private static final class Steady {
        private static final long LONG_ENOUGH_NANOS = TimeUnit.SECONDS.toNanos(5);

        private long version = -1;
        private long sinceNanos;

        boolean is(long now) {
            if (now != version) {
                version = now;
                sinceNanos = System.nanoTime();
            }
            return System.nanoTime() - sinceNanos >= LONG_ENOUGH_NANOS;
        }
    }

    private void await(long seconds, String fault, Predicate<ClusterView> done) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        String last = "";
        while (System.nanoTime() - deadline < 0) {
            boolean all = true;
            for (int node = 0; node < size(); node++) {
                node(node).checkAlive();
                ClusterView view = view(node);
                last = ClusterText.head(view);
                all &= done.test(view);
            }
            if (all) {
                return;
            }
            Pause.millis(LOOK_MILLIS);
        }
        throw new IOException("the cluster " + fault + " within " + seconds + " s:\n" + last);
    }

    /**
     * Does each node say the same of who owns how much, and has each partition an owner?
     *
     * @param gone a node that is not asked; -1 for none
     */
    public boolean isAgreed(int gone) throws IOException {
        List<Integer> first = List.of();
        for (int node = 0; node < size(); node++) {
            if (node == gone) {
                continue;
            }
            ClusterView view = view(node);
            List<Integer> owned =
                    view.members().stream().map(ClusterView.MemberView::owns).toList();
            int sum = owned.stream().mapToInt(Integer::intValue).sum();
            if (sum != PARTITIONS || (!first.isEmpty() && !first.equals(owned))) {
                return false;
            }
            first = owned;
        }
        return true;
    }

    /** As {@link #isAgreed}, within that time: while partitions move, views follow each other. */
    boolean comesToAgree(int gone, long seconds) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        boolean agreed = isAgreed(gone);
        while (!agreed && System.nanoTime() - deadline < 0) {
            Pause.millis(LOOK_MILLIS);
            agreed = isAgreed(gone);
        }
        return agreed;
    }

    /** Has the rebalancing begun that gives a node that came back its share? */
    boolean takesOver(int node) throws IOException {
        return view(other(node)).members().get(node).owns() > 0;
    }

    /** Another node. */
    int other(int node) {
        return (node + 1) % size();
    }

    /**
     * A node to lose: the one that leads the voters, or one that does not. A witness that leads
     * hands on the lead: that is waited for.
     */
    public int victim(boolean coordinator) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LEAD_SECONDS);
        do {
            for (int node = size() - 1; node >= 0; node--) {
                if (view(node).leads() == coordinator) {
                    return node;
                }
            }
            Pause.millis(LOOK_MILLIS);
        } while (System.nanoTime() - deadline < 0);
        throw new IOException(
                coordinator
                        ? "no node came to lead the voters within "
                                + LEAD_SECONDS
                                + " s"
                                + (plan.witness() ? ": the witness does" : "")
                        : "no node follows");
    }

    /** SIGKILL: no hook of it runs. */
    public void kill(int node) throws IOException {
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
        all.addAll(routers);
        all.addAll(others);
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
