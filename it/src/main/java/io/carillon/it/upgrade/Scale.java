package io.carillon.it.upgrade;

import io.carillon.it.upgrade.Verdict.Line;
import io.carillon.lab.load.LoadSummary;
import io.carillon.lab.process.Folders;
import io.carillon.lab.rig.LoadProcess;
import io.carillon.server.cluster.ClusterView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon it scale}: a fourth node joins three of them under load, takes its share of the
 * partitions, and leaves again. No call notices.
 */
@Command(
        name = "scale",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "A fourth node joins three under load, with calls held, and leaves again: does it take its"
                        + " share, is it gone in time, does a call fail?")
public final class Scale implements Callable<Integer> {
    private static final int BEFORE = 3;
    private static final long WHOLE_SECONDS = 300;
    private static final long LEAVE_SECONDS = 120;
    private static final long END_SECONDS = 240;

    @Option(names = "--rate", defaultValue = "50", description = "calls/s (${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--held",
            defaultValue = "1000",
            description = "calls that are up all the time (${DEFAULT-VALUE})")
    private int held;

    @Option(
            names = "--seconds",
            defaultValue = "10",
            description =
                    "of load before it joins, with it, and without it again (${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--workload",
            defaultValue = "b2bua",
            description = "b2bua, proxy200 or uas (${DEFAULT-VALUE})")
    private String workload = "";

    @Option(
            names = "--port",
            defaultValue = "15260",
            description = "the router's; the 49 behind it are the nodes' (${DEFAULT-VALUE})")
    private int port;

    @Option(names = "--out", description = "folder of logs (it/target/scale-TIME)")
    private String out = "";

    @Override
    public Integer call() {
        try {
            return scale();
        } catch (IOException e) {
            System.err.println("carillon it scale: " + e.getMessage());
            return 1;
        }
    }

    private int scale() throws IOException {
        if (rate < 1 || held < 1 || seconds < 1) {
            throw new IOException("--rate, --held and --seconds begin at 1");
        }
        ClusterLoad load = ClusterLoad.of(workload, rate);
        Path folder = Folders.results(out, "it", "scale");
        List<Line> lines;
        Build build = new Build("same", Folders.root(), List.of());
        try (NodesOfBuilds cluster =
                new NodesOfBuilds(folder, port, build, BEFORE + 1, List.of())) {
            System.out.println("Three nodes and a router start; logs: " + folder);
            cluster.start(BEFORE);
            cluster.awaitEven(WHOLE_SECONDS);
            lines = underLoad(cluster, load, folder);
        }
        lines.forEach(System.out::println);
        boolean good = lines.stream().allMatch(Line::good);
        System.out.println(good ? "PASSED" : "FAILED");
        return good ? 0 : 1;
    }

    private List<Line> underLoad(NodesOfBuilds cluster, ClusterLoad load, Path folder)
            throws IOException {
        Course course = new Course();
        load.warmUp(cluster.address(), folder);
        try (LoadProcess holding = load.held(cluster.address(), held, folder.resolve("held"))) {
            long up = load.awaitHeld(holding, held);
            System.out.println(up + " calls are up");
            try (LoadProcess passing = load.passing(cluster.address(), folder.resolve("passing"))) {
                passing.awaitSeconds(seconds);
                come(cluster, course, passing);
                cluster.awaitEven(WHOLE_SECONDS);
                passing.awaitSeconds(seconds);
                passing.stopEarly();
                LoadSummary ofPassing = passing.awaitSummary(END_SECONDS);
                holding.stopEarly();
                LoadSummary ofHeld = holding.awaitSummary(END_SECONDS);
                return Verdict.of(course, BEFORE + 1, up, ofHeld, ofPassing);
            }
        }
    }

    private void come(NodesOfBuilds cluster, Course course, LoadProcess passing)
            throws IOException {
        long begin = System.nanoTime();
        cluster.join(BEFORE);
        cluster.awaitEven(WHOLE_SECONDS);
        double whole = (System.nanoTime() - begin) / 1e9;
        passing.awaitSeconds(seconds);
        ClusterView with = cluster.view(BEFORE);
        int owns = with.members().get(BEFORE).owns();
        long notTaken = cluster.notTakenOver();
        double left = cluster.leave(BEFORE, LEAVE_SECONDS);
        cluster.forget(BEFORE);
        course.add(
                new Course.Step(
                        BEFORE,
                        "same",
                        left,
                        with.calls().takenOver(),
                        Math.max(notTaken, cluster.notTakenOver()),
                        whole,
                        owns));
        System.out.printf(
                Locale.ROOT,
                "The fourth node owned %d partitions after %.0f s and had %d calls protected; told to"
                        + " stop, it was gone after %.1f s%n",
                owns,
                whole,
                with.calls().isProtected(),
                left);
    }
}
