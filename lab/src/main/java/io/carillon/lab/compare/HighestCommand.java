package io.carillon.lab.compare;

import io.carillon.lab.peers.Contender;
import io.carillon.lab.peers.Contenders;
import io.carillon.lab.peers.Site;
import io.carillon.lab.process.Folders;
import io.carillon.lab.rig.RateSearch;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench highest}: the highest rate that each server takes for a minute without a failed
 * call, a retransmission or a drop, on its CPU; where the load ends first, what each server uses of
 * its CPU at the highest rate that all of them took.
 */
@Command(
        name = "highest",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Searches the highest rate that a server takes for 60 s with 0 failed calls, 0 retransmissions and 0"
                        + " drops, and says when it was the load that could not do more.")
public final class HighestCommand implements Callable<Integer> {
    @Option(
            names = {"--peer", "--peers"},
            split = ",",
            required = true,
            paramLabel = "NAME",
            description = "carillon, relay, kamailio, liberty, restcomm: one or several")
    private List<String> peers = new ArrayList<>();

    @Mixin private SiteOptions siteOptions = new SiteOptions();

    @Option(
            names = "--from",
            defaultValue = "250",
            description = "first rate, calls/s (${DEFAULT-VALUE})")
    private int from;

    @Option(
            names = "--most",
            defaultValue = "16000",
            description = "highest rate that is tried, calls/s (${DEFAULT-VALUE})")
    private int most;

    @Option(
            names = "--precision",
            defaultValue = "0.05",
            description = "ends when the next worse rate is so little above (${DEFAULT-VALUE})")
    private double precision;

    @Option(
            names = "--seconds",
            defaultValue = "60",
            description = "of each rate (${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--warmup",
            defaultValue = "120",
            description = "seconds of load before the first rate (${DEFAULT-VALUE})")
    private int warmup;

    @Option(
            names = "--hold",
            defaultValue = "0",
            description = "talk time of a call, milliseconds (${DEFAULT-VALUE})")
    private int hold;

    @Option(names = "--out", description = "folder of table and logs (bench/target/highest-TIME)")
    private String out = "";

    @Override
    public Integer call() {
        try {
            return search(System.out);
        } catch (IllegalArgumentException e) {
            System.err.println("carillon bench highest: " + e.getMessage());
            return 2;
        } catch (IOException e) {
            System.err.println("carillon bench highest: " + e.getMessage());
            return 1;
        }
    }

    private int search(PrintStream console) throws IOException {
        List<Contender> contenders = Contenders.named(peers);
        RateSearch.Limits limits = limits(from, most, precision);
        Site site = siteOptions.site();
        Contenders.check(contenders, site);
        LoadShape shape =
                new LoadShape(
                        List.of(limits.first()), 1, warmup, 0, seconds, hold, siteOptions.load());
        ComparisonSetup trial = new ComparisonSetup(site, shape);
        Path folder = Folders.results(out, "bench", "highest");
        Map<String, HighestRate> heights = new LinkedHashMap<>();
        for (Contender contender : contenders) {
            heights.put(contender.name(), climb(contender, limits, trial, folder, console));
        }
        int common = heights.values().stream().mapToInt(HighestRate::best).min().orElse(0);
        if (common > 0 && contenders.size() > 1) {
            for (Contender contender : contenders) {
                HighestRate found = heights.getOrDefault(contender.name(), HighestRate.NONE);
                if (found.at(common) == null) {
                    try (LiveServer server = LiveServer.start(contender, trial, folder, console)) {
                        RateAttempt attempt = attempt(server, trial, common, folder, console);
                        heights.put(contender.name(), found.with(attempt));
                    }
                }
            }
        }
        String page = page(site, shape, heights, common);
        Files.writeString(folder.resolve("table.md"), page);
        console.printf("%n%s%nTable and logs: %s%n", page, folder);
        return heights.values().stream().allMatch(found -> found.best() > 0) ? 0 : 1;
    }

    /**
     * The search that was asked for.
     *
     * @throws IllegalArgumentException in a sentence, for bounds that cannot be
     */
    static RateSearch.Limits limits(int from, int most, double precision) {
        if (from < 1 || most < from) {
            throw new IllegalArgumentException(
                    "--from must be at least 1 and at most --most, not " + from + " and " + most);
        }
        if (precision <= 0 || precision >= 1) {
            throw new IllegalArgumentException(
                    "--precision must be between 0 and 1, not " + precision);
        }
        return RateSearch.Limits.patient(from, most, precision);
    }

    /** A server whose calls did not end has not recovered: the next rate has a new one. */
    private HighestRate climb(
            Contender contender,
            RateSearch.Limits limits,
            ComparisonSetup trial,
            Path folder,
            PrintStream console)
            throws IOException {
        RateSearch search = new RateSearch(limits);
        List<RateAttempt> attempts = new ArrayList<>();
        while (search.next().isPresent()) {
            try (LiveServer server = LiveServer.start(contender, trial, folder, console)) {
                boolean ended = true;
                while (ended && search.next().isPresent()) {
                    RateAttempt attempt =
                            attempt(server, trial, search.next().getAsInt(), folder, console);
                    attempts.add(attempt);
                    search.tried(attempt.clean(), false);
                    ended = attempt.ended();
                }
            }
        }
        return new HighestRate(search.best(), search.atTheTop(), attempts);
    }

    private static RateAttempt attempt(
            LiveServer server, ComparisonSetup trial, int rate, Path folder, PrintStream console)
            throws IOException {
        server.peer().awaitQuiet();
        Path place = folder.resolve(server.name() + "-" + rate);
        for (int again = 2; Files.exists(place); again++) {
            place = folder.resolve(server.name() + "-" + rate + "-" + again);
        }
        RateAttempt attempt = RateAttempt.measure(server.peer(), trial, rate, place);
        console.println(attempt);
        return attempt;
    }

    private static String page(
            Site site, LoadShape shape, Map<String, HighestRate> heights, int common)
            throws IOException {
        StringBuilder text = new StringBuilder();
        text.append("## Highest rate: ").append(site.application().name()).append(", ");
        text.append(shape.holdMillis()).append(" ms of hold\n\n");
        text.append(Versions.describe(site.root())).append(".\n\n");
        text.append(site.application().description()).append(".\n\n");
        text.append("Each rate for ").append(shape.measureSeconds());
        text.append(" s, server on CPU ").append(site.cpus().server()).append(", load (");
        text.append(shape.load()).append(") on CPU ").append(site.cpus().load()).append(".\n\n");
        text.append(HighestRate.table(heights, common)).append('\n');
        text.append(
                "A rate is clean with 0 failed calls, 0 retransmissions (both sides of the load) and 0 drops;");
        text.append(
                " two tries decide. Shares of a CPU are read over the second half of the time.\n");
        return text.toString();
    }
}
