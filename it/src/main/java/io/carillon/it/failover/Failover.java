package io.carillon.it.failover;

import io.carillon.lab.process.Folders;
import io.carillon.lab.rig.RunCertificate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon it failover}: the nodes of a cluster and a router; one node is killed or
 * stopped, or the wire is cut, with calls up and calls ringing. Each call then shows that it is
 * still there.
 */
@Command(
        name = "failover",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "A cluster loses a node with calls up: does each call go on, and how soon?")
public final class Failover implements Callable<Integer> {
    private static final int LONGEST_FAULT = 600;
    private static final int STREAM_ABOVE = 41;

    @Option(
            names = "--kills",
            defaultValue = "1",
            description = "so many losses, one after the other (${DEFAULT-VALUE})")
    private int kills;

    @Option(
            names = "--fault",
            defaultValue = "kill",
            paramLabel = "NAME",
            description =
                    "kill, stop (SIGSTOP, then SIGCONT), and with --namespaces: cut, deaf, mute,"
                            + " between (two nodes), isolated (all), flap (${DEFAULT-VALUE})")
    private String fault = "kill";

    @Option(
            names = "--fault-seconds",
            defaultValue = "0",
            paramLabel = "SECONDS",
            description = "how long the fault lasts (20; isolated 10; flap 120)")
    private int faultSeconds;

    @Option(
            names = "--victim",
            defaultValue = "mixed",
            description =
                    "owner: a node that does not lead the voters; coordinator: the one that does;"
                            + " second: a node, right after another one came back; rebalance: while"
                            + " partitions move; mixed: these in turn (${DEFAULT-VALUE})")
    private String victim = "mixed";

    @Option(
            names = "--nodes",
            defaultValue = "3",
            description = "2 have a witness (${DEFAULT-VALUE})")
    private int nodes;

    @Option(
            names = "--namespaces",
            description =
                    "each node in a network namespace, all on one processor, router and phones on"
                            + " another; needs root")
    private boolean namespaces;

    @Mixin private LoadOptions load = new LoadOptions();

    @Option(
            names = "--port",
            defaultValue = "15060",
            description = "the router's; the 49 behind it are the nodes' (${DEFAULT-VALUE})")
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
        if (kills < 1 || faultSeconds < 0 || faultSeconds > LONGEST_FAULT) {
            throw new IOException(
                    "--kills begins at 1, --fault-seconds goes from 0 to " + LONGEST_FAULT);
        }
        if (nodes < 2 || nodes > 5) {
            throw new IOException("--nodes goes from 2 to 5");
        }
        load.check();
        Trial.Shape shape = shape();
        if (shape.fault().needsWire() && !namespaces) {
            throw new IOException("--fault " + fault + " needs --namespaces");
        }
        if (shape.fault() == Fault.BETWEEN && nodes == 2) {
            throw new IOException("--fault between needs --nodes 3");
        }
        Path folder = Folders.results(out, "it", "failover");
        boolean witness = nodes == 2;
        LineTable table = new LineTable();
        try (Site site =
                        namespaces
                                ? new Namespaces(nodes + (witness ? 1 : 0), "0", "1")
                                : Site.LOOPBACK;
                TrialCluster cluster =
                        new TrialCluster(
                                new TrialCluster.Plan(
                                        folder,
                                        site,
                                        nodes,
                                        witness,
                                        port,
                                        load.ringMillis(),
                                        more(folder, site)))) {
            System.out.printf(
                    "%d nodes%s and a router start; logs: %s%n",
                    nodes, witness ? ", a witness" : "", folder);
            cluster.start();
            Phones.CallersBy by = new Phones.CallersBy(load.by(), port + STREAM_ABOVE);
            Trial trial = new Trial(cluster, site, shape, by, folder, table);
            try {
                trial.rehearse();
                for (int kill = 1; kill <= kills; kill++) {
                    trial.loss(kill, kills);
                }
            } catch (IOException e) {
                table.unfinished(e.getMessage());
            }
        }
        boolean good = table.print();
        System.out.println(good ? "PASSED" : "FAILED");
        return good ? 0 : 1;
    }

    /** The router's further address, where callers come by connections. */
    private TrialCluster.More more(Path folder, Site site) throws IOException {
        if (load.by().equals("udp")) {
            return TrialCluster.More.NOTHING;
        }
        String stream = load.by() + ":" + site.router() + ":" + (port + STREAM_ABOVE);
        return new TrialCluster.More(
                List.of(),
                "",
                "",
                new TrialCluster.Front(
                        1,
                        "  streams: [" + stream + "]\n",
                        RunCertificate.in(folder).yaml(),
                        List.of()));
    }

    private Trial.Shape shape() throws IOException {
        List<Kind> kinds = new ArrayList<>();
        try {
            load.kinds().forEach(name -> kinds.add(Kind.of(name)));
            Fault what = Fault.of(fault);
            int lasts = faultSeconds > 0 ? faultSeconds : what.usualSeconds();
            Victim who = Victim.valueOf(victim.strip().toUpperCase(Locale.ROOT));
            long spread =
                    TimeUnit.SECONDS.toNanos(
                            (long) load.spread() + (what == Fault.KILL ? 0 : lasts));
            long within = what.withinNanos(lasts);
            Phones.Pace pace =
                    new Phones.Pace(
                            TimeUnit.MILLISECONDS.toNanos(load.ringMillis()),
                            spread,
                            within,
                            TimeUnit.SECONDS.toMillis(load.seconds()));
            if (kinds.isEmpty()) {
                throw new IOException("--kind direct needs --by udp");
            }
            return new Trial.Shape(what, lasts, who, kinds, load.rate(), load.seconds(), pace);
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "--kind takes "
                            + Kind.all()
                            + "; --fault "
                            + Fault.all()
                            + "; --victim owner, coordinator, second, rebalance, mixed",
                    e);
        }
    }
}
