package io.carillon.it.upgrade;

import io.carillon.it.upgrade.Verdict.Line;
import io.carillon.lab.load.LoadSummary;
import io.carillon.lab.process.Folders;
import io.carillon.lab.rig.CallTimes;
import io.carillon.lab.rig.LoadProcess;
import io.carillon.server.cluster.ClusterView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon it upgrade}: three nodes and a router under load; each node gives its calls
 * away, ends, and comes back as another build; then back again. No call notices.
 */
@Command(
        name = "upgrade",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Replaces each node of a cluster by another build and back, under load, with calls held:"
                        + " is one lost, does one fail?")
public final class Upgrade implements Callable<Integer> {
    private static final long WHOLE_SECONDS = 300;
    private static final long LEAVE_SECONDS = 120;
    private static final int LOAD_SECONDS = 7_200;
    private static final double RING_SECONDS = 0.2;
    private static final double PASSING_SECONDS = 3;
    private static final long END_SECONDS = 240;
    private static final int SETTLE_SECONDS = 3;
    private static final double ENOUGH = 0.95;

    @Option(
            names = "--old",
            paramLabel = "FOLDER",
            description = "the checkout that runs at first (this one)")
    private String old = "";

    @Option(
            names = "--new",
            paramLabel = "FOLDER",
            description =
                    "the one that takes its place (this one, with another version and a section more in"
                            + " each record)")
    private String replacement = "";

    @Option(names = "--rate", defaultValue = "50", description = "calls/s (${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--held",
            defaultValue = "1000",
            description = "calls that are up all the time (${DEFAULT-VALUE})")
    private int held;

    @Option(
            names = "--seconds",
            defaultValue = "5",
            description = "of load between two nodes (${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--rounds",
            defaultValue = "1",
            description = "so often forward and back (${DEFAULT-VALUE})")
    private int rounds;

    @Option(
            names = "--workload",
            defaultValue = "b2bua",
            description = "b2bua, proxy200 or uas (${DEFAULT-VALUE})")
    private String workload = "";

    @Option(
            names = "--port",
            defaultValue = "15160",
            description = "the router's; the 39 behind it are the nodes' (${DEFAULT-VALUE})")
    private int port;

    @Option(names = "--out", description = "folder of logs (it/target/upgrade-TIME)")
    private String out = "";

    @Override
    public Integer call() {
        try {
            return upgrade();
        } catch (IOException e) {
            System.err.println("carillon it upgrade: " + e.getMessage());
            return 1;
        }
    }

    private int upgrade() throws IOException {
        if (rate < 1 || held < 1 || seconds < 0 || rounds < 1) {
            throw new IOException("--rate, --held and --rounds begin at 1, --seconds at 0");
        }
        if (!List.of("b2bua", "proxy200", "uas").contains(workload)) {
            throw new IOException("--workload takes b2bua, proxy200 or uas, not " + workload);
        }
        Build first = build("old", old, List.of());
        Build second =
                build(
                        "new",
                        replacement,
                        replacement.isEmpty()
                                ? List.of(
                                        "-Dcarillon.trial.version=trial-2",
                                        "-Dcarillon.trial.section=true")
                                : List.of());
        Path folder = Folders.results(out, "it", "upgrade");
        List<Line> lines;
        try (NodesOfBuilds cluster = new NodesOfBuilds(folder, port, first)) {
            say("Three nodes and a router start; logs: " + folder);
            cluster.start();
            cluster.awaitEven(WHOLE_SECONDS);
            lines = underLoad(cluster, List.of(second, first), folder);
        }
        lines.forEach(System.out::println);
        boolean good = lines.stream().allMatch(Line::good);
        say(good ? "PASSED" : "FAILED");
        return good ? 0 : 1;
    }

    private static Build build(String name, String folder, List<String> jvm) throws IOException {
        Path checkout =
                folder.isEmpty() ? Folders.root() : Path.of(folder).toAbsolutePath().normalize();
        if (!Files.isExecutable(Folders.launcher(checkout))) {
            throw new IOException(
                    "--"
                            + name
                            + ": "
                            + checkout
                            + " holds no launcher carillon; give the folder"
                            + " of a checkout or of an unpacked archive");
        }
        return new Build(name, checkout, jvm);
    }

    private List<Line> underLoad(NodesOfBuilds cluster, List<Build> turns, Path folder)
            throws IOException {
        Course course = new Course();
        try (LoadProcess holding = load(cluster, held, 3_600 * 3, folder.resolve("held"))) {
            long up = awaitHeld(holding);
            say(up + " calls are up");
            try (LoadProcess passing =
                    load(cluster, 0, PASSING_SECONDS, folder.resolve("passing"))) {
                passing.awaitSeconds(Math.max(1, seconds));
                for (int round = 0; round < rounds; round++) {
                    for (Build build : turns) {
                        for (int node = 0; node < NodesOfBuilds.NODES; node++) {
                            step(cluster, node, build, course);
                            passing.awaitSeconds(Math.max(1, seconds));
                        }
                    }
                }
                passing.stopEarly();
                LoadSummary ofPassing = passing.awaitSummary(END_SECONDS);
                holding.stopEarly();
                LoadSummary ofHeld = holding.awaitSummary(END_SECONDS);
                return Verdict.of(course, NodesOfBuilds.NODES, up, ofHeld, ofPassing);
            }
        }
    }

    private LoadProcess load(NodesOfBuilds cluster, int calls, double holdSeconds, Path folder)
            throws IOException {
        List<String> more = new ArrayList<>();
        if (!workload.equals("uas")) {
            more.addAll(List.of("--to", workload.equals("b2bua") ? "b2bua" : "proxy"));
        }
        if (calls > 0) {
            more.addAll(List.of("--calls", Integer.toString(calls)));
        }
        double ring = workload.equals("proxy200") ? 0 : RING_SECONDS;
        return LoadProcess.start(
                new LoadProcess.Plan(
                        workload,
                        "udp:127.0.0.1:" + cluster.address().getPort(),
                        rate,
                        0,
                        LOAD_SECONDS,
                        new CallTimes(ring, holdSeconds),
                        "",
                        more),
                folder);
    }

    /** Waits until they are up; a few may fail on a machine that has other work. */
    private long awaitHeld(LoadProcess holding) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SETTLE_SECONDS + 2L * held / rate);
        long before = -1;
        while (holding.lastHeld() < held && System.nanoTime() - end < 0) {
            boolean rises = holding.lastHeld() > before;
            before = holding.lastHeld();
            if (!rises && before >= held * ENOUGH) {
                break;
            }
            holding.awaitSeconds(SETTLE_SECONDS);
        }
        if (holding.lastHeld() < held * ENOUGH) {
            throw new IOException(
                    "of " + held + " calls only " + holding.lastHeld() + " came about");
        }
        return holding.lastHeld();
    }

    private void step(NodesOfBuilds cluster, int node, Build build, Course course)
            throws IOException {
        ClusterView before = cluster.view(node);
        double left = cluster.leave(node, LEAVE_SECONDS);
        long begin = System.nanoTime();
        cluster.replace(node, build);
        cluster.awaitEven(WHOLE_SECONDS);
        double whole = (System.nanoTime() - begin) / 1e9;
        ClusterView after = cluster.view(node);
        ClusterView.CallsView calls = after.calls();
        int owns = after.members().get(node).owns();
        course.add(
                new Course.Step(
                        node,
                        build.name(),
                        left,
                        calls.takenOver(),
                        notTaken(cluster),
                        whole,
                        owns));
        System.out.printf(
                Locale.ROOT,
                "Node %d had %d calls protected and %d not, was gone after %.1f s; as build %s"
                        + " it owns %d partitions after %.0f s, took over %d calls, %d wait%n",
                node,
                before.calls().isProtected(),
                before.calls().unprotected().values().stream().mapToLong(Long::longValue).sum(),
                left,
                build.name(),
                owns,
                whole,
                calls.takenOver(),
                calls.waiting());
    }

    /** Records that some node could not take over, since each of them started. */
    private static long notTaken(NodesOfBuilds cluster) throws IOException {
        long all = 0;
        for (int node = 0; node < NodesOfBuilds.NODES; node++) {
            all += cluster.view(node).calls().lost();
        }
        return all;
    }

    private static void say(String text) {
        System.out.println(text);
    }
}
