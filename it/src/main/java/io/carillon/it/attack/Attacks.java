package io.carillon.it.attack;

import io.carillon.lab.load.LoadSummary;
import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.CallTimes;
import io.carillon.lab.rig.Carillon;
import io.carillon.lab.rig.LoadProcess;
import io.carillon.lab.rig.RunCertificate;
import io.carillon.lab.rig.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * {@code ./carillon it attacks}: floods, slow connections and malformed messages against a server,
 * one after the other, and beside each of them calls that must not notice.
 */
@Command(
        name = "attacks",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Attacks on a server beside calls: does a call fail, and is the heap as before when"
                        + " it is over?")
public final class Attacks implements Callable<Integer> {
    /** Calls begin before the attack and go on after it. */
    private static final int BESIDE_SECONDS = 3;

    private static final int QUICK_SECONDS = 5;
    private static final int QUICK_BESIDE_SECONDS = 2;

    /** An application with a servlet that reads bodies. */
    private static final String PAGES = "click-to-call";

    private static final int PATIENCE_SECONDS = 120;
    private static final int FIRST_NETWORK = 100;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "ID",
            description = "as A15 or A17-invite; several with commas (all)")
    private List<String> only = List.of();

    @Option(names = "--list", description = "says which attacks there are")
    private boolean list;

    @Option(names = "--rate", defaultValue = "100", description = "calls/s (${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--attack-rate",
            defaultValue = "10000",
            description = "messages/s of a flood (${DEFAULT-VALUE})")
    private int attackRate;

    @Option(
            names = "--seconds",
            defaultValue = "15",
            description = "length of each attack (${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--settle",
            defaultValue = "45",
            description =
                    "seconds after an attack in which everything of it has to be gone"
                            + " (${DEFAULT-VALUE})")
    private int settleSeconds;

    @Option(
            names = "--settle-once",
            description = "wait after the last attack only: quicker, and the heap is judged once")
    private boolean settleOnce;

    @Option(
            names = "--quick",
            description = "5 s for each attack and one wait at the end: all of them in 11 minutes")
    private boolean quick;

    @Option(
            names = "--port",
            defaultValue = "6530",
            description = "the server's SIP port (${DEFAULT-VALUE})")
    private int port;

    @Option(
            names = "--behind-router",
            description = "attacks a router; the server is a node behind it")
    private boolean behindRouter;

    @Option(names = "--server-argument", description = "passed on to carillon run; repeatable")
    private List<String> serverArguments = List.of();

    @Option(names = "--out", description = "folder of logs and counts (it/target/attacks-TIME)")
    private String out = "";

    /** Live heap before the attack; with --settle-once before the first. */
    private long firstLive;

    private int besideSeconds = BESIDE_SECONDS;

    /** Of the attacks that are waited for, the longest. */
    private int outlivesSeconds;

    @Override
    public Integer call() {
        try {
            return attack();
        } catch (IOException e) {
            System.err.println("carillon it attacks: " + e.getMessage());
            return 1;
        }
    }

    private int attack() throws IOException {
        if (rate < 1 || attackRate < 10 || seconds < 1 || settleSeconds < 0) {
            throw new IOException("--rate and --seconds begin at 1, --attack-rate at 10");
        }
        if (quick) {
            seconds = QUICK_SECONDS;
            besideSeconds = QUICK_BESIDE_SECONDS;
            settleOnce = true;
        }
        List<Attack> chosen = chosen(AttackList.all(attackRate));
        if (list) {
            chosen.forEach(one -> System.out.printf("%-20s %s%n", one.id(), one.what()));
            return 0;
        }
        Path folder = Folders.results(out, "it", "attacks");
        List<String> arguments = new ArrayList<>(serverArguments);
        if (chosen.stream().anyMatch(one -> one.door() == Door.HTTP)) {
            arguments.add(Folders.example(Folders.root(), PAGES).toString());
        }
        arguments.addAll(List.of("--router", Prey.router(folder).toString()));
        arguments.add(Prey.archive(folder).toString());
        arguments.add(BusyCalls.archive(folder, seconds).toString());
        List<AttackResult> results =
                behindRouter
                        ? attackRouted(chosen, arguments, folder)
                        : attackServer(chosen, arguments, folder);
        System.out.println(AttackResult.summary(results));
        System.out.println("Logs and the table: " + folder);
        return results.stream().allMatch(AttackResult::good) ? 0 : 1;
    }

    private List<AttackResult> attackServer(
            List<Attack> chosen, List<String> arguments, Path folder) throws IOException {
        Path configuration = folder.resolve("carillon.yaml");
        Files.writeString(configuration, sections(folder));
        arguments.addAll(List.of("--sip", doors(), "--config", configuration.toString()));
        Carillon.Place place = new Carillon.Place(Folders.root(), "uas", "", port, arguments);
        try (Carillon server = Carillon.start(place, folder)) {
            warmUp(folder, 10 * rate, 15);
            return attackAll(chosen, server, folder);
        }
    }

    private List<AttackResult> attackRouted(
            List<Attack> chosen, List<String> arguments, Path folder) throws IOException {
        Path configuration = RoutedPrey.configuration(folder, port, sections(folder));
        try (Carillon server =
                        Carillon.start(
                                RoutedPrey.node(folder, port, configuration).with(arguments),
                                folder);
                ServerProcess router = RoutedPrey.router(folder, port, configuration)) {
            long deadline = System.nanoTime() + PATIENCE_SECONDS * 1_000_000_000L;
            // Until the node owns all partitions.
            while (!warmUp(folder, rate, 2) && System.nanoTime() - deadline < 0) {
                server.process().checkAlive();
            }
            warmUp(folder, 10 * rate, 15);
            List<AttackResult> results = attackAll(chosen, server, folder);
            router.checkAlive();
            return results;
        }
    }

    private List<AttackResult> attackAll(List<Attack> chosen, Carillon server, Path folder)
            throws IOException {
        List<AttackResult> results = new ArrayList<>();
        firstLive = server.liveBytes();
        for (Attack one : chosen) {
            boolean settle = !settleOnce || one == chosen.getLast();
            AttackResult result = beside(one, results.size(), settle, server, folder);
            results.add(result);
            // After each: what is cut short has its table too.
            Files.writeString(folder.resolve("attacks.md"), page(Folders.root(), results));
            System.out.print(
                    results.size() == 1
                            ? AttackResult.table(results)
                            : AttackResult.table(List.of(result))
                                    .lines()
                                    .skip(2)
                                    .map(line -> line + "\n")
                                    .reduce("", String::concat));
        }
        return results;
    }

    private List<Attack> chosen(List<Attack> all) throws IOException {
        for (String id : only) {
            if (all.stream().noneMatch(one -> matches(one, id))) {
                throw new IOException("there is no attack '" + id + "'; --list names them");
            }
        }
        return all.stream()
                .filter(one -> only.isEmpty() || only.stream().anyMatch(id -> matches(one, id)))
                .toList();
    }

    private static boolean matches(Attack attack, String id) {
        String wanted = id.toUpperCase(Locale.ROOT);
        String own = attack.id().toUpperCase(Locale.ROOT);
        return own.equals(wanted) || own.startsWith(wanted + "-");
    }

    private String doors() {
        return Stream.of(Door.TLS, Door.WS, Door.WSS)
                .map(door -> door.calls() + ":127.0.0.1:" + (port + door.above()))
                .collect(Collectors.joining(","));
    }

    private String page(Path root, List<AttackResult> results) {
        return AttackResult.summary(results)
                + String.format(
                        Locale.ROOT,
                        " `./carillon it attacks%s` of build %s on %s: %d calls/s beside, %d s each, %d CPUs.%n%n",
                        behindRouter ? " --behind-router" : "",
                        Build.of(root),
                        LocalDate.now(ZoneOffset.UTC),
                        rate,
                        seconds,
                        Runtime.getRuntime().availableProcessors())
                + AttackResult.table(results);
    }

    /** The callers' address is a trunk's; the attackers' are not. */
    private static String sections(Path folder) throws IOException {
        return "guard:\n  trusted: [127.0.0.1]\n" + RunCertificate.in(folder).yaml();
    }

    /** True when no call of it failed. */
    private boolean warmUp(Path folder, int perSecond, int length) throws IOException {
        try (LoadProcess load =
                calls(
                        Door.SIP,
                        folder.resolve("warm-up-" + System.nanoTime()),
                        perSecond,
                        length)) {
            return load.awaitSummary(PATIENCE_SECONDS).failed().isEmpty();
        }
    }

    private LoadProcess calls(Door door, Path folder, int perSecond, int length)
            throws IOException {
        int above = Math.max(0, door.above());
        String target = door.calls() + ":127.0.0.1:" + (port + above);
        LoadProcess.Plan plan =
                new LoadProcess.Plan(
                        "uas",
                        target,
                        perSecond,
                        0,
                        length,
                        new CallTimes(0, 1),
                        "",
                        List.of("--local", "127.0.0.1"));
        return LoadProcess.start(plan, folder);
    }

    private AttackResult beside(
            Attack attack, int index, boolean settle, Carillon server, Path folder)
            throws IOException {
        if (!settleOnce) {
            server.awaitNoTransactions(PATIENCE_SECONDS);
            firstLive = server.liveBytes();
        }
        JsonNode before = server.status();
        Target target = new Target(server.address(), server.httpPort(), FIRST_NETWORK + index);
        Watch watch;
        LoadSummary calls;
        try (LoadProcess load =
                calls(
                        attack.door(),
                        folder.resolve(attack.id()),
                        rate,
                        seconds + 2 * besideSeconds)) {
            awaitCalls(server, started(before) + rate);
            watch = watch(attack, target, server);
            calls = load.awaitSummary(PATIENCE_SECONDS);
        }
        outlivesSeconds = Math.max(settleOnce ? outlivesSeconds : 0, attack.outlivesSeconds());
        double settled = settle ? settle(server) : 0;
        JsonNode after = server.status();
        return new AttackResult(
                attack.id(),
                attack.what(),
                watch.sent / watch.seconds,
                calls.made(),
                calls.failed(),
                calls.p99Millis(),
                firstLive,
                watch.peakUsed,
                settle ? server.liveBytes() : 0,
                watch.peakTransactions,
                watch.cpuNanos / 1e9 / watch.seconds,
                counter(after, "net.datagrams_over_rate", "net.datagrams_banned")
                        - counter(before, "net.datagrams_over_rate", "net.datagrams_banned"),
                limited(after) - limited(before),
                attack.reflected(),
                settled);
    }

    private static long started(JsonNode status) {
        return status.path("calls").path("started").asLong();
    }

    private static long limited(JsonNode status) {
        return status.path("connections").path("closedByLimit").asLong();
    }

    private static long counter(JsonNode status, String... names) {
        long sum = 0;
        for (String name : names) {
            sum += status.path("counters").path(name).asLong();
        }
        return sum;
    }

    private static void awaitCalls(Carillon server, long wanted) throws IOException {
        long deadline = System.nanoTime() + PATIENCE_SECONDS * 1_000_000_000L;
        while (started(server.status()) < wanted) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("no calls came");
            }
            Pause.millis(100);
        }
    }

    /** What was seen while it was attacked. */
    private static final class Watch {
        long sent;
        double seconds;
        double cpuNanos;
        long peakUsed;
        long peakTransactions;

        void look(JsonNode status) {
            peakUsed = Math.max(peakUsed, status.path("heap").path("usedBytes").asLong());
            peakTransactions = Math.max(peakTransactions, status.path("transactions").asLong());
        }
    }

    private Watch watch(Attack attack, Target target, Carillon server) throws IOException {
        Watch watch = new Watch();
        double cpu = server.threadTimes().all();
        long begin = System.nanoTime();
        FutureTask<Long> work =
                new FutureTask<>(() -> attack.run(target, begin + seconds * 1_000_000_000L));
        Thread.ofPlatform()
                .daemon()
                .name(LowPriority.THREAD)
                .start(() -> {
                    LowPriority.take();
                    work.run();
                });
        while (!work.isDone()) {
            watch.look(server.status());
            Pause.millis(500);
        }
        watch.seconds = (System.nanoTime() - begin) / 1e9;
        watch.cpuNanos = server.threadTimes().all() - cpu;
        watch.look(server.status());
        try {
            watch.sent = work.get();
        } catch (ExecutionException e) {
            throw new IOException(attack.id() + ": the attacker failed: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return watch;
    }

    /** Seconds until nothing of the attack and the calls is left, or -1. */
    private double settle(Carillon server) throws IOException {
        long begin = System.nanoTime();
        while (true) {
            JsonNode status = server.status();
            double seconds = (System.nanoTime() - begin) / 1e9;
            if (status.path("transactions").asLong() == 0
                    && status.path("calls").path("held").asLong() == 0) {
                return seconds;
            }
            if (seconds > settleSeconds + outlivesSeconds) {
                return -1;
            }
            Pause.millis(500);
        }
    }
}
