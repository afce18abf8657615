package io.carillon.lab.study;

import io.carillon.lab.load.LoadSummary;
import io.carillon.lab.process.ChildProcess;
import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Json;
import io.carillon.lab.process.LiveHeap;
import io.carillon.lab.process.Machine;
import io.carillon.lab.process.WrongSetting;
import io.carillon.lab.rig.CallTimes;
import io.carillon.lab.rig.LoadProcess;
import io.carillon.lab.rig.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon lab converged}: the web voice mail under load, HTTP and SIP together. A user
 * opens the page, clicks, talks while messages arrive, and hangs up on the page or on the phone in
 * turn: 28 SIP messages and 2.5 HTTP requests are one converged operation.
 */
@Command(
        name = "converged",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Puts the web voice mail under load: pages by HTTP, phones and voice mail server by SIP. Tells converged"
                        + " operations per second and hour, times of pages and of NOTIFY, CPU per operation, heap per user.")
public final class ConvergedCommand implements Callable<Integer> {
    private static final long START_SECONDS = 60;
    private static final long END_SECONDS = 30;
    private static final double SECONDS_PER_HOUR = 3600;

    /** Users with an open event stream at a time. */
    private static final int MOST_STREAMS = 5_000;

    /** What the last line says. */
    record Result(
            double operationsPerSecond,
            double operationsPerHour,
            LoadSummary sip,
            String pages,
            double serverCpuMicrosPerOperation,
            double heapBytesPerUser,
            double heapBytesPerUserWithStream,
            String machine) {}

    @Option(
            names = "--rate",
            defaultValue = "100",
            description = "users per second (${DEFAULT-VALUE})")
    private int rate = 100;

    @Option(
            names = "--minutes",
            defaultValue = "10",
            description = "how long, after the warm-up (${DEFAULT-VALUE})")
    private double minutes = 10;

    @Option(
            names = "--warmup",
            defaultValue = "120",
            description = "seconds at the same rate before (${DEFAULT-VALUE})")
    private int warmup = 120;

    @Option(
            names = "--hold",
            defaultValue = "60",
            description = "seconds that each user talks (${DEFAULT-VALUE})")
    private int hold = 60;

    @Option(
            names = "--server-cpus",
            defaultValue = "0",
            description = "processors of the server, as taskset takes them; empty: any (0)")
    private String serverCpus = "0";

    @Option(
            names = "--load-cpus",
            defaultValue = "1",
            description = "processors of the load and the lab; empty: any (1)")
    private String loadCpus = "1";

    @Option(
            names = "--jvm",
            paramLabel = "OPTION",
            description = "one more JVM option of the server; repeatable")
    private List<String> jvm = new ArrayList<>();

    @Option(
            names = "--no-heap",
            description = "leaves out the heap per user, which takes some minutes more")
    private boolean withoutHeap;

    @Option(
            names = "--out",
            defaultValue = "",
            paramLabel = "FOLDER",
            description = "where the results go (lab/target/converged-TIME)")
    private String out = "";

    @Override
    public Integer call() throws IOException {
        try {
            int cpus = Runtime.getRuntime().availableProcessors();
            CpuPinning.check("--server-cpus", serverCpus, cpus);
            CpuPinning.check("--load-cpus", loadCpus, cpus);
            if (rate < 1 || minutes <= 0 || warmup < 0 || hold < 1) {
                throw new WrongSetting("--rate, --minutes and --hold are 1 or more");
            }
            Path folder = Folders.results(out, "lab", "converged");
            System.out.println("Results: " + folder);
            CpuPinning.pinThisProcess(loadCpus);
            return study(folder);
        } catch (WrongSetting e) {
            System.err.println("carillon lab converged: " + e.getMessage());
            return 2;
        } catch (IOException e) {
            System.err.println("carillon lab converged: " + e.getMessage());
            return 1;
        }
    }

    private int study(Path folder) throws IOException, WrongSetting {
        int sip = ServerProcess.freePort();
        int web = ServerProcess.freePort();
        try (ChildProcess server = start(folder, sip, web)) {
            long emptyBytes = withoutHeap ? 0 : LiveHeap.of(server.pid());
            Path times = folder.resolve("pages.json");
            LoadProcess.Plan plan =
                    plan(sip, web, rate, warmup, (int) (minutes * 60), times, server.pid());
            LoadSummary summary;
            try (LoadProcess load = LoadProcess.start(plan, folder.resolve("load"))) {
                summary = load.awaitSummary();
            }
            double perUser = -1;
            double perStream = -1;
            if (!withoutHeap) {
                perUser =
                        heapPerUser("heap", rate, List.of(), folder, sip, web, server, emptyBytes);
                // Fewer: each has a connection of its own.
                perStream =
                        heapPerUser(
                                "heap-streams",
                                Math.clamp(MOST_STREAMS / hold, 1, rate),
                                List.of("--web-events", events(web)),
                                folder,
                                sip,
                                web,
                                server,
                                emptyBytes);
            }
            double perSecond = summary.completed() / summary.seconds();
            Result result =
                    new Result(
                            perSecond,
                            perSecond * SECONDS_PER_HOUR,
                            summary,
                            Files.readString(times).strip(),
                            summary.serverCpuMicrosPerCall(),
                            perUser,
                            perStream,
                            Machine.here().toString());
            Json.write(folder.resolve("result.json"), result);
            print(result);
            boolean clean =
                    summary.failed().isEmpty()
                            && summary.retransmissionsSent() + summary.retransmissionsReceived()
                                    == 0;
            return clean ? 0 : 1;
        }
    }

    private ChildProcess start(Path folder, int sip, int web) throws IOException, WrongSetting {
        Path jar = Folders.program("web-voice-mail");
        if (!Files.exists(jar)) {
            throw new WrongSetting("there is no " + jar + ": ./carillon build makes it");
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JvmOptions.ofLauncher());
        command.addAll(jvm);
        command.addAll(List.of("-jar", jar.toString()));
        command.addAll(
                List.of(
                        "--voicemail.lab=true",
                        "--carillon.listen=udp:127.0.0.1:" + sip + ",tcp:127.0.0.1:" + sip,
                        "--carillon.shards=1",
                        "--carillon.heap-room=true",
                        "--carillon.web.calls-in-all=200000",
                        "--server.jetty.max-connections=200000",
                        "--server.port=" + web));
        ChildProcess server =
                ChildProcess.start(
                        "the server",
                        serverCpus,
                        command,
                        folder.resolve("server.log"),
                        END_SECONDS);
        try {
            server.awaitLine("READY", START_SECONDS);
            return server;
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    private static String events(int web) {
        return "http://127.0.0.1:" + web + "/lab/events?phone={phone}";
    }

    private LoadProcess.Plan plan(
            int sip,
            int web,
            int usersPerSecond,
            int warmupSeconds,
            int seconds,
            Path times,
            long serverPid) {
        String base = "http://127.0.0.1:" + web;
        return new LoadProcess.Plan(
                "web-voice-mail",
                "udp:127.0.0.1:" + sip,
                usersPerSecond,
                warmupSeconds,
                seconds,
                new CallTimes(0, hold),
                loadCpus,
                List.of(
                        "--web-page",
                        base + "/",
                        "--web",
                        base + "/lab/call?phone={phone}&mail={mail}",
                        "--web-hang-up",
                        base + "/lab/hang-up?phone={phone}",
                        "--web-times",
                        times.toString(),
                        "--server-pid",
                        Long.toString(serverPid)));
    }

    /** With as many users as the rate holds; counting them stops the server, so it is apart. */
    private double heapPerUser(
            String name,
            int usersPerSecond,
            List<String> more,
            Path folder,
            int sip,
            int web,
            ChildProcess server,
            long emptyBytes)
            throws IOException {
        Path times = folder.resolve("pages-" + name + ".json");
        LoadProcess.Plan plan =
                plan(sip, web, usersPerSecond, 0, hold + 20, times, server.pid()).with(more);
        try (LoadProcess load = LoadProcess.start(plan, folder.resolve(name))) {
            load.awaitSeconds(hold + 10);
            long held = load.lastHeld();
            long live = LiveHeap.of(server.pid());
            load.stopEarly();
            load.awaitEnd();
            return held == 0 ? -1 : (live - emptyBytes) / (double) held;
        }
    }

    private static String bytes(double measured) {
        return measured < 0 ? "not measured" : String.format(Locale.ROOT, "%.0f bytes", measured);
    }

    private static void print(Result result) {
        LoadSummary sip = result.sip();
        System.out.printf(
                Locale.ROOT,
                "%.1f converged operations/s (%,.0f per hour), %d failed, %d retransmissions%n",
                result.operationsPerSecond(),
                result.operationsPerHour(),
                sip.failed().values().stream().mapToLong(Long::longValue).sum(),
                sip.retransmissionsSent() + sip.retransmissionsReceived());
        System.out.printf(
                Locale.ROOT,
                "  NOTIFY to 200: p50 %.2f, p95 %.2f, p99 %.2f, longest %.2f ms%n",
                sip.p50Millis(),
                sip.p95Millis(),
                sip.p99Millis(),
                sip.maxMillis());
        System.out.println("  pages: " + result.pages());
        System.out.printf(
                Locale.ROOT,
                "  server CPU %.0f us per operation; heap per active user %s without an event stream, %s with one%n",
                result.serverCpuMicrosPerOperation(),
                bytes(result.heapBytesPerUser()),
                bytes(result.heapBytesPerUserWithStream()));
        if (sip.generatorLimited()) {
            System.out.println("  The load itself was at its end: " + sip.generatorReason());
        }
    }
}
