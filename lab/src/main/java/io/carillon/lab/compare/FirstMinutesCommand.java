package io.carillon.lab.compare;

import io.carillon.lab.peers.Contender;
import io.carillon.lab.peers.Contenders;
import io.carillon.lab.peers.Site;
import io.carillon.lab.process.CpuOccupation;
import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
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
 * {@code bench first-minutes}: what an owner sees who starts a server and looks: CPU per call in
 * each minute from READY on, with nothing declared and nothing set. One server after the other.
 */
@Command(
        name = "first-minutes",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "CPU per call minute by minute from READY on, as shipped, of each server after the other under the same"
                        + " load. Exit code 1 when a call failed, or the first server's second minute costs more"
                        + " than --limit of its last.")
public final class FirstMinutesCommand implements Callable<Integer> {
    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

    @Option(
            names = "--peers",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "carillon,kamailio",
            description = "servers, as in bench compare (${DEFAULT-VALUE})")
    private List<String> peers = List.of();

    @Mixin private SiteOptions siteOptions = new SiteOptions();

    @Option(names = "--rate", defaultValue = "500", description = "calls/s (${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--minutes",
            defaultValue = "10",
            description = "length of the load, 2 or more (${DEFAULT-VALUE})")
    private int minutes;

    @Option(
            names = "--limit",
            paramLabel = "RATIO",
            defaultValue = "1.15",
            description = "the most of the last minute that the second may cost (${DEFAULT-VALUE})")
    private double limit;

    @Option(
            names = "--out",
            description = "folder of table and logs (bench/target/first-minutes-TIME)")
    private String out = "";

    @Override
    public Integer call() {
        try {
            return measure();
        } catch (IllegalArgumentException e) {
            System.err.println("carillon bench first-minutes: " + e.getMessage());
            return 2;
        } catch (IOException e) {
            System.err.println("carillon bench first-minutes: " + e.getMessage());
            return 1;
        }
    }

    private int measure() throws IOException {
        if (minutes < FirstMinutes.COMPARED || !(limit > 0)) {
            throw new IllegalArgumentException("--minutes is 2 or more, --limit above 0");
        }
        Site site = siteOptions.site(true);
        LoadShape shape = new LoadShape(List.of(rate), 1, 0, 0, 60, 0, siteOptions.load());
        ComparisonSetup trial = new ComparisonSetup(site, shape);
        List<Contender> contenders = Contenders.named(peers);
        Contenders.check(contenders, site);
        AsShipped.check(site, System.getenv());
        Path folder = Folders.results(out, "bench", "first-minutes");
        List<FirstMinutes> all = new ArrayList<>();
        for (Contender contender : contenders) {
            all.add(minutesOf(contender, trial, folder.resolve(contender.name())));
        }
        return verdict(all, site, folder);
    }

    private FirstMinutes minutesOf(Contender contender, ComparisonSetup trial, Path folder)
            throws IOException {
        List<FirstMinutes.Minute> read = new ArrayList<>();
        try (ServerProcess server = contender.start(trial.site(), folder);
                Load.Running load =
                        trial.load()
                                .start(
                                        server.port(),
                                        rate,
                                        60 * minutes + 1,
                                        folder.resolve("load"))) {
            long begin = System.nanoTime();
            for (int minute = 1; minute <= minutes; minute++) {
                read.add(minute(server, begin + minute * MINUTE_NANOS));
                System.out.printf(
                        Locale.ROOT,
                        "%-14s minute %2d: %6.1f us/call; %s%n",
                        contender.name(),
                        minute,
                        read.getLast().cpuMicrosPerCall(),
                        read.getLast().machine());
            }
            Load.Tally tally = load.await();
            return new FirstMinutes(
                    contender.name(), read, tally.failed(), tally.retransmissions());
        }
    }

    private FirstMinutes.Minute minute(ServerProcess server, long untilNanos) throws IOException {
        CpuOccupation before = CpuOccupation.now();
        long cpu = server.cpuNanos();
        long from = System.nanoTime();
        Pause.millis(Math.max(0, TimeUnit.NANOSECONDS.toMillis(untilNanos - from)));
        server.checkAlive();
        double calls = rate * ((System.nanoTime() - from) / 1e9);
        double micros = (server.cpuNanos() - cpu) / 1e3 / calls;
        return new FirstMinutes.Minute(micros, CpuOccupation.now().since(before));
    }

    private int verdict(List<FirstMinutes> all, Site site, Path folder) throws IOException {
        FirstMinutes first = all.getFirst();
        boolean holds = first.ratio() <= limit && all.stream().allMatch(FirstMinutes::clean);
        StringBuilder page = new StringBuilder();
        page.append(
                String.format(
                        Locale.ROOT,
                        "## %s at %d calls/s from READY on, as shipped%n%n%s%n",
                        site.application().name(),
                        rate,
                        Versions.describe(site.root())));
        page.append('\n').append(FirstMinutes.table(all)).append('\n');
        page.append("An asterisk: others or the host took more than 5 % of the machine.\n\n");
        all.forEach(each -> page.append(each.verdict(limit)).append(".\n"));
        page.append(holds ? "It holds.\n" : "It does NOT hold.\n");
        Files.writeString(folder.resolve("table.md"), page);
        System.out.printf("%n%s%nTable and logs: %s%n", page, folder);
        return holds ? 0 : 1;
    }
}
