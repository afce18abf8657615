package io.carillon.lab.measure;

import io.carillon.lab.process.CpuOccupation;
import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon bench idle}: what a server costs that nobody calls, without a connection and
 * with many that are silent.
 */
@Command(
        name = "idle",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "CPU of a server that nobody calls, in per cent of a core: without a connection, then with many that are"
                        + " silent. Exit code 1 when one is above --limit, or a connection was closed.")
public final class IdleCost implements Callable<Integer> {
    @Option(
            names = "--connections",
            defaultValue = "100",
            description = "TCP connections that said something once (${DEFAULT-VALUE})")
    private int connections;

    @Option(
            names = "--settle",
            defaultValue = "600",
            description =
                    "seconds after READY, and after the connections, before it is read: the heap is"
                            + " touched in the first, and what runs once a second is compiled in"
                            + " some minutes (${DEFAULT-VALUE})")
    private int settle;

    @Option(
            names = "--seconds",
            defaultValue = "120",
            description = "of each reading (${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--limit",
            defaultValue = "0.5",
            description = "the most, in per cent of a core (${DEFAULT-VALUE})")
    private double limit;

    @Option(
            names = "--application",
            defaultValue = "b2bua",
            description = "example that runs (${DEFAULT-VALUE})")
    private String application = "b2bua";

    @Option(
            names = "--server-cpus",
            defaultValue = "0",
            description = "CPUs of the server (${DEFAULT-VALUE})")
    private String serverCpus = "0";

    @Option(
            names = "--port",
            defaultValue = "5060",
            description = "of the server (${DEFAULT-VALUE})")
    private int port;

    @Option(names = "--server-argument", description = "passed on to carillon run; repeatable")
    private List<String> serverArguments = List.of();

    @Option(names = "--out", description = "folder of logs (bench/target/idle-TIME)")
    private String out = "";

    @Override
    public Integer call() {
        if (connections < 0 || settle < 0 || seconds < 1 || !(limit > 0)) {
            System.err.println(
                    "carillon bench idle: --connections and --settle are 0 or more, --seconds 1 or"
                            + " more, --limit above 0");
            return 2;
        }
        try {
            return measure() ? 0 : 1;
        } catch (IOException e) {
            System.err.println("carillon bench idle: " + e.getMessage());
            return 1;
        }
    }

    private boolean measure() throws IOException {
        Path folder = Folders.results(out, "bench", "idle");
        boolean holds;
        try (ServerProcess server =
                CarillonLaunch.at(port)
                        .on(serverCpus)
                        .http(ServerProcess.freePort())
                        .running(Folders.example(Folders.root(), application))
                        .with(serverArguments)
                        .start(folder)) {
            holds = reading(server, 0);
            if (connections > 0) {
                try (SilentConnections silent = SilentConnections.open(port, connections)) {
                    holds &= reading(server, connections);
                    silent.check();
                }
            }
        }
        System.out.printf("%s. Logs: %s%n", holds ? "It holds" : "It does NOT hold", folder);
        return holds;
    }

    private boolean reading(ServerProcess server, int open) throws IOException {
        Pause.millis(1000L * settle);
        CpuOccupation before = CpuOccupation.now();
        long cpu = server.cpuNanos();
        long from = System.nanoTime();
        Pause.millis(1000L * seconds);
        server.checkAlive();
        double percent = 100.0 * (server.cpuNanos() - cpu) / (System.nanoTime() - from);
        System.out.printf(
                Locale.ROOT,
                "%d connections: %.2f %% of a core in %d s (limit %.2f %%); %s%n",
                open,
                percent,
                seconds,
                limit,
                CpuOccupation.now().since(before));
        return percent <= limit;
    }
}
