package io.carillon.it.registration;

import io.carillon.it.registration.RegisterRun.Stretch;
import io.carillon.lab.process.Folders;
import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon it register}: phones register at the example registrar, each time challenged
 * anew. In the middle of the load the server is killed; started again on the same data it must know
 * every binding that it has acknowledged.
 */
@Command(
        name = "register",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Registrations with digest at a steady rate, and kill -9 in the middle: lost bindings.")
public final class Register implements Callable<Integer> {
    private static final String PASSWORD = "secret of the load";

    @Option(
            names = "--rate",
            defaultValue = "500",
            description =
                    "registrations/s, each a challenge and its answer: two requests (${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--seconds",
            defaultValue = "60",
            description = "length of the load; half of it before the kill (${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--algorithm",
            defaultValue = "sha-256",
            description = "sha-256 or md5 (${DEFAULT-VALUE})")
    private String algorithm = "sha-256";

    @Option(names = "--users", defaultValue = "1000", description = "phones (${DEFAULT-VALUE})")
    private int users;

    @Option(
            names = "--warmup",
            defaultValue = "20",
            description = "seconds of load after each start that do not count (${DEFAULT-VALUE})")
    private int warmupSeconds;

    @Option(
            names = "--port",
            defaultValue = "6510",
            description = "the server's SIP port; HTTP is the next one (${DEFAULT-VALUE})")
    private int port;

    @Option(
            names = "--database",
            split = ",",
            paramLabel = "NAME",
            description =
                    "default, h2 (at a URL of its own) or postgresql (of this machine's packages, started for"
                            + " the run); several with commas, one after the other (default)")
    private List<String> databases = List.of("default");

    @Option(names = "--server-argument", description = "passed on to carillon run; repeatable")
    private List<String> serverArguments = List.of();

    @Option(names = "--out", description = "folder of logs and data (it/target/register-TIME)")
    private String out = "";

    @Override
    public Integer call() {
        try {
            return register();
        } catch (IOException e) {
            System.err.println("carillon it register: " + e.getMessage());
            return 1;
        }
    }

    private int register() throws IOException {
        String token = algorithm.toUpperCase(Locale.ROOT);
        if (!token.equals("SHA-256") && !token.equals("MD5")) {
            throw new IOException("--algorithm is sha-256 or md5, not '" + algorithm + "'");
        }
        if (rate < 1 || seconds < 2 || users < 1) {
            throw new IOException("--rate and --users begin at 1, --seconds at 2");
        }
        List<TrialDatabase.Kind> kinds = new ArrayList<>();
        for (String name : databases) {
            kinds.add(TrialDatabase.Kind.of(name));
        }
        Path folder = Folders.results(out, "it", "register");
        boolean good = true;
        for (TrialDatabase.Kind kind : kinds) {
            System.out.println("Database: " + kind.toString().toLowerCase(Locale.ROOT));
            Path own = folder.resolve(kind.toString().toLowerCase(Locale.ROOT));
            try (TrialDatabase database = TrialDatabase.make(kind, own, port + 2)) {
                good &= register(own, database, token);
            }
        }
        System.out.println("Logs and data: " + folder);
        return good ? 0 : 1;
    }

    private boolean register(Path folder, TrialDatabase database, String token) throws IOException {
        List<String> names = IntStream.range(0, users).mapToObj(i -> "user" + i).toList();
        TrialUsers.add(database.settings(), folder, names, PASSWORD);
        CarillonLaunch launch =
                CarillonLaunch.at(port)
                        .http(port + 1)
                        .running(Folders.example(Folders.root(), "registrar"))
                        .home(folder)
                        .with(serverArguments)
                        .with(database.arguments());
        try (ServerProcess server = launch.start(folder);
                RegisterRun run = new RegisterRun(server.address(), names, PASSWORD, token)) {
            System.out.printf(
                    "%d phones, %d registrations/s with %s, kill -9 in the middle of %d s%n",
                    users, rate, token, seconds);
            return measure(server, run);
        }
    }

    private boolean measure(ServerProcess server, RegisterRun run) throws IOException {
        warmUp(run);
        long cpu = server.cpuNanos();
        Stretch before = run.load(rate, seconds / 2);
        cpu = server.cpuNanos() - cpu;
        server.kill();
        int onTheirWay = run.bury();
        print("before the kill", before, cpu);
        System.out.printf("kill -9 with %d registrations on their way%n", onTheirWay);
        long start = System.nanoTime();
        server.restart();
        System.out.printf("started again within %.1f s%n", (System.nanoTime() - start) / 1e9);
        int missing = verify(run);
        warmUp(run);
        cpu = server.cpuNanos();
        Stretch after = run.load(rate, seconds - seconds / 2);
        cpu = server.cpuNanos() - cpu;
        run.settle();
        print("after the restart", after, cpu);
        missing += verify(run);
        System.out.println("failures: " + (run.failures().isEmpty() ? "none" : run.failures()));
        return missing == 0
                && run.failures().isEmpty()
                && before.late() + after.late() == 0
                && run.bound() == users;
    }

    /** A cold server gets a tenth and two fifths of the rate first. */
    private void warmUp(RegisterRun run) throws IOException {
        run.load(Math.max(1, rate / 10), warmupSeconds / 3);
        run.load(Math.max(1, rate * 2 / 5), warmupSeconds / 3);
        run.load(rate, warmupSeconds - 2 * (warmupSeconds / 3));
        run.settle();
    }

    private static int verify(RegisterRun run) throws IOException {
        long bound = run.bound();
        int missing = run.verify();
        System.out.printf("%d acknowledged bindings asked for, %d missing%n", bound, missing);
        return missing;
    }

    private static void print(String when, Stretch stretch, long cpuNanos) {
        Histogram nanos = stretch.nanos();
        System.out.printf(
                Locale.ROOT,
                "%s: %d begun, %d acknowledged in %.0f s (%.0f/s), %d not begun in time, %d retransmissions,"
                        + " p50 %.1f ms, p99 %.1f ms, max %.1f ms, %.0f us CPU per registration%n",
                when,
                stretch.begun(),
                stretch.acknowledged(),
                stretch.seconds(),
                stretch.acknowledged() / stretch.seconds(),
                stretch.late(),
                stretch.retransmissions(),
                nanos.getValueAtPercentile(50) / 1e6,
                nanos.getValueAtPercentile(99) / 1e6,
                nanos.getMaxValue() / 1e6,
                cpuNanos / 1e3 / Math.max(1, stretch.acknowledged()));
    }
}
