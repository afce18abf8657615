package io.carillon.lab.study;

import io.carillon.lab.load.LoadSummary;
import io.carillon.lab.process.Pause;
import io.carillon.lab.process.WrongSetting;
import io.carillon.lab.rig.CallTimes;
import io.carillon.lab.rig.LoadProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server of this checkout and {@code ./carillon load} beside it, pair after pair. */
final class TransportLoad implements TransportRun.Measuring {
    /** To start, and for the last answers: 64 x T1 = 32 s (RFC 3261 17.1.1.2). */
    private static final int AROUND_SECONDS = 60;

    private final TransportStudy study;
    private final String workload;
    private final Path folder;
    private final TransportServer server;
    private boolean warm;

    private TransportLoad(
            TransportStudy study, String workload, Path folder, TransportServer server) {
        this.study = study;
        this.workload = workload;
        this.folder = folder;
        this.server = server;
    }

    static TransportLoad start(TransportStudy study, String workload, Path folder)
            throws IOException {
        try {
            List<String> hosts =
                    study.transportPairs().stream()
                            .map(TransportPair::host)
                            .distinct()
                            .sorted()
                            .toList();
            TransportServer server =
                    TransportServer.start(
                            StudyApplication.archive("", workload),
                            hosts,
                            study.serverCpus(),
                            study.serverArguments(),
                            unused(folder, "server"));
            return new TransportLoad(study, workload, folder, server);
        } catch (WrongSetting e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** What an interrupted run left stays aside. */
    private static Path unused(Path folder, String name) {
        Path own = folder.resolve(name);
        for (int i = 1; Files.exists(own); i++) {
            own = folder.resolve(name + "-again-" + i);
        }
        return own;
    }

    @Override
    public LoadSummary measure(TransportPair pair) throws IOException {
        // A server that has just started compiles while it serves: as long again as a pair takes.
        int warmup = study.warmup() + (warm ? 0 : study.seconds());
        LoadProcess.Plan plan =
                new LoadProcess.Plan(
                        workload,
                        server.target(pair.from(), pair.host()),
                        study.rate(),
                        warmup,
                        study.seconds(),
                        new CallTimes(0, study.hold()),
                        study.loadCpus(),
                        List.of(
                                "--callee-transport",
                                pair.to().parameter(),
                                "--server-pid",
                                Long.toString(server.pid())));
        Path own = unused(folder, TransportRun.name(pair));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(mostSeconds(warmup));
        try (LoadProcess run = LoadProcess.start(plan, own)) {
            while (run.isRunning()) {
                Pause.millis(200);
                server.checkAlive();
                if (System.nanoTime() - deadline > 0) {
                    throw new IOException("the load does not end; its log is in " + own);
                }
            }
            LoadSummary summary = run.awaitSummary();
            if (summary.seconds() < study.seconds() - 1) {
                throw new IOException("the load was stopped before its time");
            }
            warm = true;
            return summary;
        }
    }

    private long mostSeconds(int warmup) {
        return warmup + study.seconds() + Math.round(study.hold()) + AROUND_SECONDS;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
