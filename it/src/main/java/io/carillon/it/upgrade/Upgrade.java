package io.carillon.it.upgrade;

import io.carillon.it.place.BrowserCallers;
import io.carillon.it.place.RestlessCallers;
import io.carillon.it.upgrade.Verdict.Line;
import io.carillon.lab.load.LoadSummary;
import io.carillon.lab.process.Folders;
import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.LoadProcess;
import io.carillon.lab.rig.RunCertificate;
import io.carillon.server.cluster.ClusterView;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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

    /** Nodes that are upgraded have run for a while: code that has just begun is slow. */
    private static final int SETTLING_SECONDS = 60;

    private static final long LEAVE_SECONDS = 120;
    private static final long END_SECONDS = 240;
    private static final List<String> STREAMS = List.of("tcp", "wss");

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
            names = "--streams",
            defaultValue = "2",
            description =
                    "phones by TCP, and as many by WSS, that call uas all the time (${DEFAULT-VALUE})")
    private int streams;

    @Option(
            names = "--browsers",
            defaultValue = "1",
            description =
                    "phones on JsSIP in a Chromium that call uas by WSS all the time"
                            + " (${DEFAULT-VALUE}; none without --streams)")
    private int browsers;

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
            description = "the router's; the 49 behind it are the nodes' (${DEFAULT-VALUE})")
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
        if (rate < 1 || held < 1 || seconds < 0 || rounds < 1 || streams < 0 || browsers < 0) {
            throw new IOException(
                    "--rate, --held and --rounds begin at 1, --seconds, --streams and --browsers at 0");
        }
        ClusterLoad load = ClusterLoad.of(workload, rate);
        Build first = build("old", old, List.of());
        List<String> more = new ArrayList<>(List.of("-Dcarillon.trial.section=true"));
        if (replacement.isEmpty()) {
            more.add("-Dcarillon.trial.version=trial-2");
        }
        Build second = build("new", replacement, more);
        Path folder = Folders.results(out, "it", "upgrade");
        lookForBrowser(folder);
        List<Line> lines;
        // A build that knows no streams before its nodes is tried without.
        List<String> doors = streams == 0 ? List.of() : STREAMS;
        try (NodesOfBuilds cluster = new NodesOfBuilds(folder, port, first, 3, doors)) {
            say("Three nodes and a router start; logs: " + folder);
            cluster.start(3);
            cluster.awaitEven(WHOLE_SECONDS);
            lines = underLoad(cluster, load, List.of(second, first), folder);
        }
        lines.forEach(System.out::println);
        boolean good = lines.stream().allMatch(Line::good);
        say(good ? "PASSED" : "FAILED");
        return good ? 0 : 1;
    }

    static Build build(String name, String folder, List<String> jvm) throws IOException {
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
        CarillonLaunch.recordStart(checkout);
        return new Build(name, checkout, jvm);
    }

    private List<Line> underLoad(
            NodesOfBuilds cluster, ClusterLoad load, List<Build> turns, Path folder)
            throws IOException {
        Course course = new Course();
        load.warmUp(cluster.address(), folder);
        try (LoadProcess holding = load.held(cluster.address(), held, folder.resolve("held"))) {
            long up = load.awaitHeld(holding, held);
            say(up + " calls are up");
            try (LoadProcess passing = load.passing(cluster.address(), folder.resolve("passing"));
                    RestlessCallers callers =
                            new RestlessCallers(cluster.address(), cluster.doors(), streams);
                    BrowserCallers inBrowser = browserCallers(cluster, folder)) {
                passing.awaitSeconds(Math.max(SETTLING_SECONDS, seconds));
                for (int round = 0; round < rounds; round++) {
                    for (Build build : turns) {
                        for (int node = 0; node < cluster.running(); node++) {
                            step(cluster, node, build, course);
                            passing.awaitSeconds(Math.max(1, seconds));
                        }
                    }
                }
                RestlessCallers.Calls onStreams = callers.end();
                if (inBrowser != null) {
                    onStreams = onStreams.and(inBrowser.end());
                }
                passing.stopEarly();
                LoadSummary ofPassing = passing.awaitSummary(END_SECONDS);
                holding.stopEarly();
                LoadSummary ofHeld = holding.awaitSummary(END_SECONDS);
                List<Line> lines =
                        new ArrayList<>(
                                Verdict.of(course, cluster.running(), up, ofHeld, ofPassing));
                lines.add(1, Verdict.streams(onStreams));
                return lines;
            }
        }
    }

    /** Before anything is judged, as it takes a while. */
    private void lookForBrowser(Path folder) {
        String missing = streams == 0 ? "no --streams" : BrowserCallers.missing();
        if (browsers > 0 && missing == null) {
            try {
                BrowserCallers.fetchLibraries(folder);
            } catch (IOException e) {
                missing = e.getMessage();
            }
        }
        if (browsers > 0 && missing != null) {
            say("No phone in a browser: " + missing);
            browsers = 0;
        }
    }

    private @Nullable BrowserCallers browserCallers(NodesOfBuilds cluster, Path folder)
            throws IOException {
        InetSocketAddress wss = cluster.doors().get("wss");
        return browsers == 0 || wss == null
                ? null
                : BrowserCallers.start(
                        cluster.address(),
                        wss,
                        RunCertificate.in(folder).certificate(),
                        browsers,
                        folder);
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
        long notTaken = cluster.notTakenOver();
        course.add(
                new Course.Step(
                        node, build.name(), left, calls.takenOver(), notTaken, whole, owns));
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

    private static void say(String text) {
        System.out.println(text);
    }
}
