package io.carillon.lab.compare;

import io.carillon.lab.peers.Contender;
import io.carillon.lab.peers.Contenders;
import io.carillon.lab.peers.Site;
import io.carillon.lab.process.Folders;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.sip.hop.Transport;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench compare}: Carillon and other servers in turn under the same SIPp load, as CPU per
 * call and added latency per forwarded message. Both servers of a pair run and are warm; only one
 * of them has load.
 */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Measures Carillon against other servers on this machine: CPU microseconds per call at equal rates,"
                        + " latency added per forwarded message, memory, failed calls, retransmissions, drops."
                        + " Exit code 1 when a window was not clean, or the machine too busy.")
public final class CompareCommand implements Callable<Integer> {
    @Option(
            names = "--peers",
            split = ",",
            paramLabel = "NAME",
            description =
                    "servers, the one first that the others are compared with: carillon, relay, relay-selector,"
                            + " kamailio, liberty, restcomm, one-shard, two-shards, traced,"
                            + " plain, spring, cdi; carillon-adaptive, carillon-blocking, carillon-non-blocking:"
                            + " with this io.carillon.execution declared (carillon,kamailio)")
    private List<String> peers = new ArrayList<>();

    @Mixin private SiteOptions siteOptions = new SiteOptions();

    @Option(
            names = "--rates",
            split = ",",
            defaultValue = "500,1000,2000",
            description = "calls/s (${DEFAULT-VALUE})")
    private List<Integer> rates = List.of();

    @Option(
            names = "--pairs",
            defaultValue = "5",
            description = "pairs per rate and peer, in the order A B B A (${DEFAULT-VALUE})")
    private int pairs;

    @Option(
            names = "--warmup",
            defaultValue = "120",
            description = "seconds of load before a server's first window (${DEFAULT-VALUE})")
    private int warmup;

    @Option(
            names = "--fill",
            defaultValue = "33",
            description = "seconds of load before each reading (${DEFAULT-VALUE})")
    private int fill;

    @Option(
            names = "--measure",
            defaultValue = "30",
            description = "seconds of each reading (${DEFAULT-VALUE})")
    private int measure;

    @Option(
            names = "--hold",
            defaultValue = "0",
            description = "talk time of a call, milliseconds (${DEFAULT-VALUE})")
    private int hold;

    @Option(names = "--only", paramLabel = "NAME", description = "measure only this server")
    private String only = "";

    @Option(
            names = "--baseline",
            paramLabel = "FOLDER",
            description =
                    "measure against the built checkout of another Carillon in this folder; without --peers against"
                            + " nothing else")
    private String baseline = "";

    @Mixin private TogetherOptions together = new TogetherOptions();

    @Option(
            names = "--as-shipped",
            description =
                    "as an owner meets it who declares and sets nothing: no io.carillon.execution declared, default JVM"
                            + " options, windows from the second to the tenth minute after READY, for which the"
                            + " command waits")
    private boolean asShipped;

    @Mixin private DisturbanceOptions disturbance = new DisturbanceOptions();

    @Option(
            names = "--out",
            description = "folder of rows, table and logs (bench/target/compare-TIME)")
    private String out = "";

    @Option(
            names = "--resume",
            paramLabel = "FOLDER",
            description = "go on with a comparison that was stopped; all else was said then")
    private String resume = "";

    @Override
    public Integer call() {
        try {
            return compare(System.out);
        } catch (IllegalArgumentException e) {
            System.err.println("carillon bench compare: " + e.getMessage());
            return 2;
        } catch (IOException e) {
            System.err.println("carillon bench compare: " + e.getMessage());
            return 1;
        }
    }

    private int compare(PrintStream console) throws IOException {
        if (!resume.isEmpty()) {
            Path folder = Path.of(resume).toAbsolutePath().normalize();
            return new Comparison(
                            ComparisonFolder.plan(folder), ComparisonFolder.resume(folder), console)
                    .run();
        }
        ComparisonPlan plan = plan();
        List<Contender> contenders = plan.contenders();
        double limit = together.limit();
        if (limit < 0 || (limit > 0 && !together.wanted())) {
            throw new IllegalArgumentException(
                    "--limit is a ratio above 0, and goes with --together");
        }
        if (together.wanted()) {
            return together(plan, contenders, console);
        }
        ComparisonFolder results =
                ComparisonFolder.begin(Folders.results(out, "bench", "compare"), plan);
        return new Comparison(plan, results, console).run();
    }

    private ComparisonPlan plan() throws IOException {
        List<String> servers = servers();
        LoadShape shape =
                new LoadShape(rates, pairs, warmup, fill, measure, hold, siteOptions.load());
        DisturbanceLimits limits = disturbance.limits();
        Site site = siteOptions.site(asShipped);
        String folder =
                baseline.isEmpty() ? "" : Path.of(baseline).toAbsolutePath().normalize().toString();
        return new ComparisonPlan(
                servers, folder, site, shape, limits, Versions.describe(site.root()));
    }

    private List<String> servers() {
        if (!only.isEmpty()) {
            return List.of(only);
        }
        if (!peers.isEmpty()) {
            return peers;
        }
        return baseline.isEmpty()
                ? List.of(Contenders.CARILLON, "kamailio")
                : List.of(Contenders.CARILLON);
    }

    private int together(ComparisonPlan plan, List<Contender> contenders, PrintStream console)
            throws IOException {
        if (contenders.size() != 2) {
            throw new IllegalArgumentException(
                    "--together takes two servers, not " + contenders.size());
        }
        if (plan.site().asShipped()) {
            throw new IllegalArgumentException("--as-shipped goes without --together");
        }
        if (plan.site().transport() != Transport.UDP) {
            throw new IllegalArgumentException("--together goes with --transport udp only");
        }
        Path folder = Folders.results(out, "bench", "compare");
        boolean clean = true;
        try (LiveServer first = LiveServer.start(contenders.get(0), plan.trial(), folder, console);
                LiveServer second =
                        LiveServer.start(contenders.get(1), plan.trial(), folder, console)) {
            List<ServerProcess> both = List.of(first.peer(), second.peer());
            for (int rate : plan.shape().rates()) {
                clean &=
                        SimultaneousPairs.compare(
                                rate, both, plan.trial(), together.limit(), folder, console);
            }
        }
        console.println("Logs and counts: " + folder);
        return clean ? 0 : 1;
    }
}
