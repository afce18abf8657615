package io.carillon.lab.study;

import io.carillon.lab.load.LoadSummary;
import io.carillon.lab.process.Pause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A server of this checkout and {@code ./carillon load} beside it, pair after pair. */
final class TransportLoad implements TransportRun.Measuring {
    private final TransportStudy study;
    private final String workload;
    private final Path folder;
    private final TransportServer server;

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
                            Place.archive("", workload),
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
        LoadProcess.Plan plan =
                new LoadProcess.Plan(
                        workload,
                        server.target(pair.from(), pair.host()),
                        study.rate(),
                        study.warmup(),
                        study.seconds(),
                        new CallTimes(0, study.hold()),
                        study.loadCpus(),
                        List.of(
                                "--callee-transport",
                                pair.to().parameter(),
                                "--server-pid",
                                Long.toString(server.pid())));
        Path own = unused(folder, TransportRun.name(pair));
        try (LoadProcess run = LoadProcess.start(plan, own)) {
            while (run.isRunning()) {
                Pause.millis(200);
                server.checkAlive();
            }
            return run.awaitSummary();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
