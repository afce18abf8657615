package io.carillon.lab.study;

import io.carillon.lab.load.LoadSummary;
import io.carillon.lab.process.Pause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Calls between each two transports, and what one costs the server. */
@Command(
        name = "transports",
        mixinStandardHelpOptions = true,
        description =
                "Calls across a proxy and a B2BUA between each two of UDP, TCP, TLS, WS and WSS, on IPv4"
                        + " and IPv6: one table of failures, retransmissions and CPU per call.")
public final class TransportsCommand implements Callable<Integer> {
    @Option(
            names = "--rate",
            defaultValue = "200",
            description = "calls per second (${DEFAULT-VALUE})")
    private int rate = 200;

    @Option(
            names = "--seconds",
            defaultValue = "60",
            description = "time for each pair (${DEFAULT-VALUE})")
    private int seconds = 60;

    @Option(
            names = "--warmup",
            defaultValue = "10",
            description = "seconds of load before each that do not count (${DEFAULT-VALUE})")
    private int warmup = 10;

    @Option(
            names = "--hold",
            defaultValue = "1",
            paramLabel = "SECONDS",
            description = "talk time (${DEFAULT-VALUE})")
    private double hold = 1;

    @Option(
            names = "--workloads",
            split = ",",
            defaultValue = "proxy200,b2bua",
            description = "proxy200, b2bua or both (${DEFAULT-VALUE})")
    private List<String> workloads = List.of();

    @Option(
            names = "--pairs",
            split = ",",
            defaultValue = "all",
            description = "as in udp-tls,wss-wss/6; /6 is IPv6 (${DEFAULT-VALUE})")
    private List<String> pairs = List.of();

    @Option(
            names = "--server-cpus",
            defaultValue = "",
            description = "processors of the servers, as taskset takes them; empty: any")
    private String serverCpus = "";

    @Option(
            names = "--load-cpus",
            defaultValue = "",
            description = "processors of the load; empty: any")
    private String loadCpus = "";

    @Option(
            names = "--server-argument",
            paramLabel = "ARGUMENT",
            description = "passed on to ./carillon run; repeatable")
    private List<String> serverArguments = new ArrayList<>();

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description = "where the results go (lab/target/transports-TIME)")
    private String out = "";

    /** A line of the table. */
    private record Row(String workload, TransportPair pair, LoadSummary summary) {
        long failed() {
            return summary.made() - summary.completed();
        }

        boolean clean() {
            return failed() == 0 && summary.failed().isEmpty();
        }
    }

    @Override
    public Integer call() {
        try {
            List<TransportPair> asked = asked();
            Path folder = Place.results(out, "transports");
            List<Row> rows = new ArrayList<>();
            for (String workload : workloads) {
                rows.addAll(run(workload, asked, folder.resolve(workload)));
            }
            String table = table(rows);
            Files.writeString(folder.resolve("transports.md"), table);
            System.out.println();
            System.out.print(table);
            return rows.stream().allMatch(Row::clean) ? 0 : 1;
        } catch (WrongSetting e) {
            System.err.println("carillon lab transports: " + e.getMessage());
            return 2;
        } catch (IOException e) {
            System.err.println("carillon lab transports: " + e.getMessage());
            return 1;
        }
    }

    private List<TransportPair> asked() throws WrongSetting {
        if (rate < 1 || seconds < 2 || warmup < 0 || hold < 0) {
            throw new WrongSetting(
                    "--rate is at least 1, --seconds at least 2, --warmup and --hold at least 0");
        }
        for (String workload : workloads) {
            if (!workload.equals("proxy200") && !workload.equals("b2bua")) {
                throw new WrongSetting("--workloads is proxy200, b2bua or both, not " + workload);
            }
            Place.archive("", workload);
        }
        if (pairs.equals(List.of("all"))) {
            return TransportPair.all();
        }
        List<TransportPair> all = new ArrayList<>();
        for (String pair : pairs) {
            all.add(TransportPair.parse(pair));
        }
        return all;
    }

    private List<Row> run(String workload, List<TransportPair> asked, Path folder)
            throws IOException, WrongSetting {
        List<Row> rows = new ArrayList<>();
        List<String> hosts = asked.stream().map(TransportPair::host).distinct().sorted().toList();
        Path application = Place.archive("", workload);
        try (TransportServer server =
                TransportServer.start(
                        application,
                        hosts,
                        serverCpus,
                        serverArguments,
                        folder.resolve("server"))) {
            for (TransportPair pair : asked) {
                LoadSummary summary = load(workload, pair, server, folder);
                rows.add(new Row(workload, pair, summary));
                System.err.printf(
                        Locale.ROOT,
                        "%s %s: %,d calls, %,d failed%s%n",
                        workload,
                        pair,
                        summary.made(),
                        summary.made() - summary.completed(),
                        summary.failed().isEmpty() ? "" : " " + summary.failed());
            }
        }
        return rows;
    }

    private LoadSummary load(
            String workload, TransportPair pair, TransportServer server, Path folder)
            throws IOException {
        LoadProcess.Plan plan =
                new LoadProcess.Plan(
                        workload,
                        server.target(pair.from(), pair.host()),
                        rate,
                        warmup,
                        seconds,
                        new CallTimes(0, hold),
                        loadCpus,
                        List.of(
                                "--callee-transport",
                                pair.to().parameter(),
                                "--server-pid",
                                Long.toString(server.pid())));
        Path own = folder.resolve(pair.toString().replace('/', '-'));
        try (LoadProcess run = LoadProcess.start(plan, own)) {
            while (run.isRunning()) {
                Pause.millis(200);
                server.checkAlive();
            }
            return run.awaitSummary();
        }
    }

    private static String table(List<Row> rows) {
        StringBuilder text =
                new StringBuilder(
                        "| workload | pair | calls | failed | retransmissions | p99 ms | CPU per call, us | note |\n"
                                + "| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |\n");
        for (Row row : rows) {
            LoadSummary summary = row.summary();
            text.append(
                    String.format(
                            Locale.ROOT,
                            "| %s | %s | %,d | %,d | %,d | %.1f | %,.0f | %s |%n",
                            row.workload(),
                            row.pair(),
                            summary.made(),
                            row.failed(),
                            summary.retransmissionsSent() + summary.retransmissionsReceived(),
                            summary.p99Millis(),
                            summary.serverCpuMicrosPerCall(),
                            summary.generatorReason()));
        }
        return text.toString();
    }
}
