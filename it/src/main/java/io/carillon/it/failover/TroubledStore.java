package io.carillon.it.failover;

import io.carillon.lab.load.LoadSample;
import io.carillon.lab.load.LoadSummary;
import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Json;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.CallTimes;
import io.carillon.lab.rig.LoadProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * {@code ./carillon it store}: three nodes under load, while the grid is slow, fails, or has no
 * room. Calls go on, no event loop stands still, and the alarm is raised and lowered.
 */
@Command(
        name = "store",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "The grid of a cluster is slow, fails, has no room: do calls go on, does the alarm say it?")
public final class TroubledStore implements Callable<Integer> {
    private static final long WHOLE_SECONDS = 300;
    private static final long END_SECONDS = 120;
    private static final long LOOK_MILLIS = 50;
    private static final long RAISED_MILLIS = 1_500;
    private static final long LOWERED_MILLIS = 5_000;

    /** A response that waits for its record leaves after 50 ms all the same. */
    private static final double WAIT_MILLIS = 50;

    private static final double LOOP_MILLIS = 20;

    private static final List<String> TROUBLES = List.of("slow 500", "fails", "full");

    @Option(names = "--rate", defaultValue = "100", description = "calls/s (${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--seconds",
            defaultValue = "10",
            description = "of each trouble, and between two (${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--warmup",
            defaultValue = "30",
            description = "seconds of load before (${DEFAULT-VALUE})")
    private int warmup;

    @Option(
            names = "--port",
            defaultValue = "15260",
            description = "the router's; the 49 behind it are the nodes' (${DEFAULT-VALUE})")
    private int port;

    @Option(names = "--out", description = "folder of logs (it/target/store-TIME)")
    private String out = "";

    private boolean good = true;

    @Override
    public Integer call() {
        try {
            return run();
        } catch (IOException e) {
            System.err.println("carillon it store: " + e.getMessage());
            return 1;
        }
    }

    private int run() throws IOException {
        if (rate < 1 || seconds < 3 || warmup < 1) {
            throw new IOException("--rate and --warmup begin at 1, --seconds at 3");
        }
        Path folder = Folders.results(out, "it", "store");
        try (TrialCluster cluster = TrialCluster.of(folder, port, TrialCluster.More.NOTHING)) {
            System.out.println("3 nodes and a router start; logs: " + folder);
            cluster.start();
            cluster.awaitWhole(WHOLE_SECONDS);
            try (LoadProcess load = LoadProcess.start(plan(cluster.address()), folder)) {
                load.awaitSeconds(warmup);
                Pause.millis(TimeUnit.SECONDS.toMillis(seconds));
                say("no trouble", load.newSamples(), false);
                for (String trouble : TROUBLES) {
                    trouble(cluster, load, trouble);
                }
                load.stopEarly();
                LoadSummary all = load.awaitSummary(END_SECONDS);
                line(all.completed() > 0, all.completed() + " calls ended well in all");
            }
        }
        System.out.println(good ? "PASSED" : "FAILED");
        return good ? 0 : 1;
    }

    private LoadProcess.Plan plan(InetSocketAddress at) {
        return new LoadProcess.Plan(
                "b2bua",
                "udp:" + at.getHostString() + ":" + at.getPort(),
                rate,
                0,
                3_600,
                new CallTimes(0, 2),
                "",
                List.of("--to", Kind.B2BUA.user()));
    }

    private void trouble(TrialCluster cluster, LoadProcess load, String trouble)
            throws IOException {
        load.newSamples(); // those before it
        cluster.trouble(trouble);
        long raised = awaitAlarm(cluster, true, RAISED_MILLIS);
        Pause.millis(TimeUnit.SECONDS.toMillis(seconds));
        boolean stays = alarms(cluster) == cluster.size();
        List<LoadSample> meanwhile = load.newSamples();
        cluster.trouble("");
        long lowered = awaitAlarm(cluster, false, LOWERED_MILLIS);
        Pause.millis(TimeUnit.SECONDS.toMillis(seconds));
        say(trouble, meanwhile, true);
        say("after " + trouble, load.newSamples(), true);
        line(
                raised >= 0 && stays,
                trouble + ": each node raised the alarm" + after(raised) + ", and kept it");
        line(
                lowered >= 0 && alarms(cluster) == 0,
                trouble + ": each node lowered it" + after(lowered));
    }

    private static String after(long millis) {
        return millis < 0 ? " too late" : " within " + millis + " ms";
    }

    /** Milliseconds until all nodes have it, or none; -1 where that is later. */
    private static long awaitAlarm(TrialCluster cluster, boolean raised, long most)
            throws IOException {
        long begin = System.nanoTime();
        int wanted = raised ? cluster.size() : 0;
        while (alarms(cluster) != wanted) {
            if (System.nanoTime() - begin > TimeUnit.MILLISECONDS.toNanos(most)) {
                return -1;
            }
            Pause.millis(LOOK_MILLIS);
        }
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    }

    /** Nodes that say that they would lose calls. */
    private static int alarms(TrialCluster cluster) throws IOException {
        int count = 0;
        for (int node = 0; node < cluster.size(); node++) {
            JsonNode status = Json.LINES.readTree(cluster.ask(node, "status", ""));
            count += status.path("counters").path("cluster.now_alarm").asInt();
        }
        return count;
    }

    // ---- what is said of it ----

    private void say(String when, List<LoadSample> all, boolean judged) {
        long made = all.stream().mapToLong(LoadSample::made).sum();
        long failed = all.stream().mapToLong(LoadSample::failed).sum();
        long again =
                all.stream()
                        .mapToLong(
                                each -> each.retransmissionsSent() + each.retransmissionsReceived())
                        .sum();
        List<Double> longest = new ArrayList<>();
        all.forEach(each -> longest.add(each.maxMillis() - each.behindMillis()));
        longest.sort(null);
        double answer = longest.isEmpty() ? 0 : longest.get(longest.size() / 2);
        double inDialog =
                all.stream()
                        .mapToDouble(LoadSample::inDialogP99Millis)
                        .sorted()
                        .toArray()[all.size() / 2];
        String text =
                String.format(
                        Locale.ROOT,
                        "%s: %d calls begun, %d failed, %d messages sent again; in a usual second the"
                                + " longest INVITE to 200 %.1f ms, requests in dialogs p99 %.1f ms",
                        when,
                        made,
                        failed,
                        again,
                        answer,
                        inDialog);
        if (judged) {
            line(
                    made > 0
                            && failed == 0
                            && again == 0
                            && answer <= WAIT_MILLIS + LOOP_MILLIS
                            && inDialog <= LOOP_MILLIS,
                    text);
        } else {
            System.out.println("      " + text);
        }
    }

    private void line(boolean holds, String text) {
        good &= holds;
        System.out.println((holds ? "ok    " : "SHORT ") + text);
    }
}
