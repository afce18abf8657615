package io.carillon.it.failover;

import io.carillon.it.failover.Oracle.Line;
import io.carillon.it.failover.Oracle.Loss;
import io.carillon.lab.process.Folders;
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
 * {@code ./carillon it failover}: three nodes and a router; one node is killed, or stopped for a
 * while, with calls up and calls ringing. Each call then shows that it is still there.
 */
@Command(
        name = "failover",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "A cluster of three nodes loses one with calls up: does each call go on, and how soon?")
public final class Failover implements Callable<Integer> {
    private static final long WHOLE_SECONDS = 300;
    private static final long SETTLE_SECONDS = 75;
    private static final double LOAD_AFTER_SECONDS = 3;
    private static final long LINGER_MILLIS = 2_000;
    private static final long KILLED_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long SILENT_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(8);

    /** Which node goes. */
    enum Victim {
        OWNER,
        COORDINATOR
    }

    @Option(
            names = "--kills",
            defaultValue = "1",
            description = "so many losses, one after the other (${DEFAULT-VALUE})")
    private int kills;

    @Option(names = "--rate", defaultValue = "20", description = "calls/s (${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--seconds",
            defaultValue = "20",
            description = "of calls before each loss; all of them are up then (${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--kind",
            split = ",",
            defaultValue = "uas,b2bua,proxy",
            paramLabel = "NAME",
            description = "example applications that the calls go through (${DEFAULT-VALUE})")
    private List<String> kinds = List.of();

    @Option(
            names = "--victim",
            defaultValue = "owner",
            description =
                    "owner: a node that does not lead the voters; coordinator: the one that does"
                            + " (${DEFAULT-VALUE})")
    private String victim = "owner";

    @Option(
            names = "--stop",
            paramLabel = "SECONDS",
            description = "SIGSTOP for so long and then SIGCONT, in place of SIGKILL")
    private int stopSeconds;

    @Option(
            names = "--ring-millis",
            defaultValue = "5000",
            description = "how long the application uas rings (${DEFAULT-VALUE})")
    private long ringMillis;

    @Option(
            names = "--port",
            defaultValue = "15060",
            description = "the router's; the 39 behind it are the nodes' (${DEFAULT-VALUE})")
    private int port;

    @Option(names = "--out", description = "folder of logs (it/target/failover-TIME)")
    private String out = "";

    @Override
    public Integer call() {
        try {
            return failover();
        } catch (IOException e) {
            System.err.println("carillon it failover: " + e.getMessage());
            return 1;
        }
    }

    private int failover() throws IOException {
        if (kills < 1 || rate < 1 || seconds < 1 || stopSeconds < 0 || ringMillis < 0) {
            throw new IOException("--kills, --rate and --seconds begin at 1, --stop at 0");
        }
        List<Kind> chosen = new ArrayList<>();
        Victim who;
        try {
            kinds.forEach(name -> chosen.add(Kind.of(name)));
            who = Victim.valueOf(victim.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "--kind takes uas, b2bua and proxy; --victim owner or coordinator", e);
        }
        Path folder = Folders.results(out, "it", "failover");
        int good = 0;
        try (TrialCluster cluster = new TrialCluster(folder, port, ringMillis)) {
            System.out.println("Three nodes and a router start; logs: " + folder);
            cluster.start();
            for (int kill = 1; kill <= kills; kill++) {
                cluster.awaitWhole(WHOLE_SECONDS);
                if (loss(cluster, chosen, who, kill, folder)) {
                    good++;
                }
            }
        }
        System.out.printf(
                "%s: %d of %d losses without a fault%n",
                good == kills ? "PASSED" : "FAILED", good, kills);
        return good == kills ? 0 : 1;
    }

    private boolean loss(TrialCluster cluster, List<Kind> chosen, Victim who, int kill, Path folder)
            throws IOException {
        try (Phones phones =
                new Phones(cluster.address(), TimeUnit.MILLISECONDS.toNanos(ringMillis))) {
            phones.load(chosen, rate, seconds);
            int node = cluster.victim(who == Victim.COORDINATOR);
            ClusterView before = cluster.view(node);
            long goneAt = System.nanoTime();
            if (stopSeconds > 0) {
                cluster.stop(node);
            } else {
                cluster.kill(node);
            }
            phones.nodeGoes();
            System.out.printf(
                    "Loss %d of %d: node %d %s%n",
                    kill, kills, node, stopSeconds > 0 ? "stopped" : "killed");
            phones.load(chosen, rate, LOAD_AFTER_SECONDS);
            if (stopSeconds > 0) {
                long left = goneAt + TimeUnit.SECONDS.toNanos(stopSeconds) - System.nanoTime();
                phones.pass(Math.max(0, TimeUnit.NANOSECONDS.toMillis(left)));
                cluster.goOn(node);
            }
            phones.settle(SETTLE_SECONDS);
            phones.pass(LINGER_MILLIS);
            long unprotected =
                    before.calls().unprotected().values().stream().mapToLong(Long::longValue).sum();
            Loss loss =
                    new Loss(
                            goneAt,
                            stopSeconds > 0 ? SILENT_WITHIN_NANOS : KILLED_WITHIN_NANOS,
                            before.calls().isProtected() + unprotected,
                            unprotected,
                            phones.strays());
            List<CallFacts> facts = phones.facts();
            List<Line> lines = Oracle.judge(facts, loss);
            lines.forEach(System.out::println);
            System.out.println("      the others say: " + others(cluster, node));
            write(folder.resolve("loss-" + kill + ".txt"), facts, loss);
            if (stopSeconds == 0 && kill < kills) {
                cluster.restart(node);
            }
            return lines.stream().allMatch(Line::good);
        }
    }

    private static String others(TrialCluster cluster, int gone) throws IOException {
        List<String> all = new ArrayList<>();
        for (int node = 0; node < TrialCluster.NODES; node++) {
            if (node != gone) {
                ClusterView.CallsView calls = cluster.view(node).calls();
                all.add(
                        String.format(
                                Locale.ROOT,
                                "node %d took over %d calls, %d wait, %d not taken over, %d messages"
                                        + " left unprotected %s",
                                node,
                                calls.takenOver(),
                                calls.waiting(),
                                calls.lost(),
                                calls.leftUnprotected(),
                                calls.unprotected()));
            }
        }
        return String.join("; ", all);
    }

    /** Each call in a line, for who looks for a fault; times in ms after the loss. */
    private static void write(Path file, List<CallFacts> facts, Loss loss) throws IOException {
        List<String> lines = new ArrayList<>();
        for (CallFacts call : facts) {
            StringBuilder line = new StringBuilder();
            line.append(call.good() ? "good  " : "WRONG ").append(call.kind().application());
            line.append(' ').append(call.atKill()).append(' ').append(call.name());
            for (CallFacts.Check check : call.checks()) {
                line.append("; ").append(check.what());
                line.append(" at ").append(millis(check.sentNanos() - loss.goneAtNanos()));
                line.append(
                        check.answered()
                                ? " after " + millis(check.answeredNanos() - check.sentNanos())
                                : " never answered");
            }
            lines.add(line + (call.good() ? "" : "; " + call.wrong()));
        }
        loss.strays().forEach(stray -> lines.add("stray " + stray));
        Files.write(file, lines);
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
