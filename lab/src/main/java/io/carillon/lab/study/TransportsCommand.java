package io.carillon.lab.study;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.WrongSetting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

    @Option(
            names = "--resume",
            paramLabel = "FOLDER",
            description = "go on with the study in this folder; its options count, not those given")
    private String resume = "";

    @Override
    public Integer call() {
        try {
            Path folder;
            TransportStudy study;
            if (resume.isEmpty()) {
                study = asked();
                study.check();
                folder = Folders.results(out, "lab", "transports");
                TransportRun.begin(study, folder);
            } else {
                folder = Path.of(resume).toAbsolutePath();
                study = TransportRun.study(folder);
                study.check();
            }
            return run(study, folder);
        } catch (WrongSetting e) {
            System.err.println("carillon lab transports: " + e.getMessage());
            return 2;
        } catch (IOException e) {
            System.err.println("carillon lab transports: " + e.getMessage());
            return 1;
        }
    }

    private TransportStudy asked() {
        return new TransportStudy(
                rate,
                seconds,
                warmup,
                hold,
                workloads,
                pairs,
                serverCpus,
                loadCpus,
                serverArguments);
    }

    private static int run(TransportStudy study, Path folder) throws IOException, WrongSetting {
        String command = "./carillon lab transports --resume " + folder;
        Thread hint =
                Thread.ofPlatform()
                        .unstarted(
                                () -> System.err.println("\nInterrupted. Go on with: " + command));
        Runtime.getRuntime().addShutdownHook(hint);
        StudyProgress progress = StudyProgress.on(System.err);
        progress.say("Results: " + folder);
        List<TransportResult> results =
                new TransportRun(
                                study,
                                folder,
                                progress,
                                (workload, own) -> TransportLoad.start(study, workload, own))
                        .run();
        Runtime.getRuntime().removeShutdownHook(hint);
        System.out.println();
        System.out.print(TransportResult.table(results));
        if (results.stream().anyMatch(result -> !result.failure().isEmpty())) {
            System.err.println("Measure again what was not measured: " + command);
        }
        return results.stream().allMatch(TransportResult::clean) ? 0 : 1;
    }
}
