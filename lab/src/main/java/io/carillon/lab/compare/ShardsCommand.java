package io.carillon.lab.compare;

import io.carillon.lab.peers.Site;
import io.carillon.lab.process.Folders;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench shards}: what a second shard costs. CPU per call of Carillon with two shards on both
 * CPUs by that with one shard on one CPU, at the same rate; the load shares the second CPU, so this
 * is no measure of the highest rate.
 */
@Command(
        name = "shards",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "CPU per call of Carillon with two shards on two CPUs against one shard on one CPU, at the same rate and"
                        + " in turn. The load shares the second CPU.")
public final class ShardsCommand implements Callable<Integer> {
    @Mixin private SiteOptions siteOptions = new SiteOptions();

    @Option(
            names = "--rates",
            split = ",",
            defaultValue = "1000",
            description = "calls/s (${DEFAULT-VALUE})")
    private List<Integer> rates = List.of();

    @Option(
            names = "--pairs",
            defaultValue = "5",
            description = "pairs per rate (${DEFAULT-VALUE})")
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
            defaultValue = "12",
            description = "seconds of each reading (${DEFAULT-VALUE})")
    private int measure;

    @Mixin private DisturbanceOptions disturbance = new DisturbanceOptions();

    @Option(
            names = "--out",
            description = "folder of rows, table and logs (bench/target/shards-TIME)")
    private String out = "";

    @Override
    public Integer call() {
        try {
            Site site = siteOptions.site();
            LoadShape shape =
                    new LoadShape(rates, pairs, warmup, fill, measure, 0, siteOptions.load());
            ComparisonPlan plan =
                    new ComparisonPlan(
                            List.of("two-shards", "one-shard"),
                            "",
                            site,
                            shape,
                            disturbance.limits(),
                            Versions.describe(site.root()));
            ComparisonFolder results =
                    ComparisonFolder.begin(Folders.results(out, "bench", "shards"), plan);
            return new Comparison(plan, results, System.out).run();
        } catch (IllegalArgumentException e) {
            System.err.println("carillon bench shards: " + e.getMessage());
            return 2;
        } catch (IOException e) {
            System.err.println("carillon bench shards: " + e.getMessage());
            return 1;
        }
    }
}
