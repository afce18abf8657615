package io.carillon.lab.load;

import io.carillon.net.address.HostLiteral;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.sip.hop.Transport;
import java.io.Console;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./carillon load}: makes calls through a server and says how it bore them. */
@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Makes calls through a SIP server, both sides of them, and counts and times what comes back."
                        + " Calls are begun when they are due, whatever the server does.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:the load ran and no limit was broken",
            "1:a limit of --max-... was broken, or the load could not run",
            "2:wrong arguments",
            "3:the load itself was the bottleneck: its figures say nothing of the server"
        })
public final class LoadCommand implements Callable<Integer> {
    private static final long MOST_HELD = 300_000;

    @Option(
            names = "--workload",
            description =
                    "b2bua (rings 10 s, talks 30 s, our callee), proxy200 (answered at once, our callee),"
                            + " uas (the server answers), register (digest), web-voice-mail (the server calls our phones)"
                            + " (b2bua)")
    private @Nullable String workload;

    @Option(
            names = "--target",
            paramLabel = "TRANSPORT:HOST:PORT",
            defaultValue = "udp:127.0.0.1:5060",
            description = "the server; udp, tcp, tls, ws or wss (${DEFAULT-VALUE})")
    private String target = "";

    @Option(
            names = "--callee-transport",
            paramLabel = "TRANSPORT",
            description = "by which the server reaches our callees (that of --target)")
    private @Nullable String calleeTransport;

    @Option(
            names = "--to",
            paramLabel = "URI|USER",
            defaultValue = "",
            description =
                    "Request-URI, or its user part before the callee's (uas: the server's) address; of register the domain")
    private String to = "";

    @Option(
            names = "--rate",
            paramLabel = "R|FROM..TO:STEP/TIME|R/TIME,...",
            defaultValue = "10",
            description =
                    "calls per second, a ramp as in 100..1000:100/30s, or steps as in 100/10s,500/60s"
                            + " (${DEFAULT-VALUE})")
    private String rate = "";

    @Option(
            names = "--arrivals",
            defaultValue = "even",
            description = "even or poisson (${DEFAULT-VALUE})")
    private String arrivals = "";

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description =
                    "time in which calls are made, after the warm-up; like 30s, 10m (30s; of a ramp: all its steps;"
                            + " with --calls: until they are made)")
    private @Nullable String duration;

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            defaultValue = "0s",
            description =
                    "time before, at the same rate, whose calls do not count (${DEFAULT-VALUE})")
    private String warmup = "";

    @Option(names = "--calls", paramLabel = "N", description = "make so many calls at most")
    private @Nullable Long calls;

    @Option(
            names = "--hold",
            paramLabel = "TIME",
            description = "talk time of a call (b2bua 30s, else 0s)")
    private @Nullable String hold;

    @Option(
            names = "--ring",
            paramLabel = "TIME",
            description = "time until our callee answers (b2bua 10s, else 0s)")
    private @Nullable String ring;

    @Option(
            names = "--max-held",
            paramLabel = "N",
            description = "calls that may be up at once; what is due above is not made (300000)")
    private @Nullable Long maxHeld;

    @Option(
            names = "--user",
            paramLabel = "NAME:PASSWORD",
            description = "who registers; repeatable")
    private List<String> users = new ArrayList<>();

    @Option(
            names = "--users",
            paramLabel = "FILE",
            description = "who registers: a line NAME:PASSWORD each, taken in turn")
    private @Nullable Path usersFile;

    @Option(names = "--expires", paramLabel = "SECONDS", description = "of a registration (3600)")
    private @Nullable Integer expires;

    @Option(
            names = "--web-page",
            paramLabel = "URL",
            description = "of web-voice-mail: what a user looks at before (nothing)")
    private @Nullable String webPage;

    @Option(
            names = "--web-events",
            paramLabel = "URL",
            description =
                    "of web-voice-mail: the event stream that a user's page keeps open (none)")
    private @Nullable String webEvents;

    @Option(
            names = "--web-times",
            paramLabel = "FILE",
            description = "of web-voice-mail: gets how long the HTTP requests took, as JSON")
    private @Nullable Path webTimes;

    @Option(
            names = "--web",
            paramLabel = "URL",
            description =
                    "of web-voice-mail: what a user POSTs to be connected; {phone} and {mail} stand for the SIP URIs"
                            + " of the phone and of the voice mail server")
    private @Nullable String web;

    @Option(
            names = "--web-hang-up",
            paramLabel = "URL",
            description = "of web-voice-mail: what every second user POSTs to be disconnected")
    private @Nullable String webHangUp;

    @Option(
            names = "--scenario-uac",
            paramLabel = "FILE",
            description =
                    "instead of a workload: the callers' SIPp scenario, run by the SIPp on PATH; -d is --hold, -s is --to")
    private @Nullable Path scenarioUac;

    @Option(
            names = "--scenario-uas",
            paramLabel = "FILE",
            description = "with it: the callees' SIPp scenario; without: the server answers")
    private @Nullable Path scenarioUas;

    @Option(
            names = "--sipp-argument",
            paramLabel = "ARGUMENT",
            description = "with it: one more argument for the callers' SIPp; repeatable")
    private List<String> sippArguments = new ArrayList<>();

    @Option(
            names = "--sipp-folder",
            paramLabel = "FOLDER",
            description =
                    "with it: where SIPp leaves its tables and errors (a new one in the system's folder)")
    private @Nullable Path sippFolder;

    @Option(
            names = "--local",
            paramLabel = "ADDRESS",
            defaultValue = "",
            description = "our address (the one that reaches the server)")
    private String local = "";

    @Option(
            names = "--caller-port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "our callers' port (chosen by the system)")
    private int callerPort;

    @Option(
            names = "--callee-port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "our callees' port (chosen by the system)")
    private int calleePort;

    @Mixin private CallerOptions callers = new CallerOptions();

    @Mixin private LimitOptions limits = new LimitOptions();

    @Option(
            names = "--server-pid",
            paramLabel = "PID",
            split = ",",
            description = "the server's process on this machine, to read its CPU")
    private List<Long> serverPids = List.of();

    @Option(
            names = "--self-warmup",
            paramLabel = "TIME",
            description =
                    "calls between our own two sides before the first at the server, so that a cold JVM of ours"
                            + " does not count as the server's delay (3s)")
    private @Nullable String selfWarmUp;

    @Option(names = "--json", paramLabel = "FILE", description = "write the summary as JSON")
    private @Nullable Path json;

    @Option(
            names = "--json-lines",
            paramLabel = "FILE",
            description = "write each second, and the summary as the last, as a line of JSON")
    private @Nullable Path jsonLines;

    @Option(
            names = "--histogram-log",
            paramLabel = "FILE",
            description = "write each second's response times as HdrHistogram's interval log")
    private @Nullable Path histogramLog;

    @Option(
            names = "--plain",
            description =
                    "a line per second instead of the live view, as when there is no terminal")
    private boolean plain;

    @Override
    public Integer call() {
        LoadSettings settings;
        try {
            settings = settings();
        } catch (IllegalArgumentException | IOException e) {
            System.err.println("carillon load: " + e.getMessage());
            return 2;
        }
        try {
            Path uac = scenarioUac;
            if (uac != null) {
                ScenarioRun sipp = new ScenarioRun(settings, scenarios(uac), System.out);
                StopSignal.install(sipp::stop);
                return exitCode(sipp.run());
            }
            LoadRun run = new LoadRun(settings, System.out);
            StopSignal.install(run::stop);
            return exitCode(run.run());
        } catch (IOException e) {
            System.err.println("carillon load: " + e.getMessage());
            return 1;
        }
    }

    private ScenarioRun.Scenarios scenarios(Path uac) throws IOException {
        Path folder =
                sippFolder == null
                        ? Files.createTempDirectory("carillon-load")
                        : Files.createDirectories(sippFolder);
        return new ScenarioRun.Scenarios(
                "sipp",
                uac.toAbsolutePath(),
                scenarioUas == null ? null : scenarioUas.toAbsolutePath(),
                folder.toAbsolutePath(),
                sippArguments);
    }

    /** Scenarios exist, and ask for nothing that SIPp is not told. */
    private void checkScenarios(RatePlan plan, Transport transport) {
        if (scenarioUac == null) {
            if (scenarioUas != null) {
                throw new IllegalArgumentException("--scenario-uas needs --scenario-uac");
            }
            return;
        }
        for (Path file :
                scenarioUas == null ? List.of(scenarioUac) : List.of(scenarioUac, scenarioUas)) {
            if (!Files.isReadable(file)) {
                throw new IllegalArgumentException("there is no scenario file " + file);
            }
        }
        if (plan.ramp() || arrivals.equals("poisson")) {
            throw new IllegalArgumentException(
                    "SIPp keeps one rate, evenly spaced: a ramp or --arrivals poisson needs a workload");
        }
        checkTransports(transport);
        checkUntold();
    }

    /** Both SIPps are started with the one transport of --target. */
    private void checkTransports(Transport transport) {
        if (transport != Transport.UDP && transport != Transport.TCP) {
            throw new IllegalArgumentException(
                    "scenarios go by udp or tcp: --target " + target + " needs a workload");
        }
        if (calleeTransport(transport) != transport) {
            throw new IllegalArgumentException(
                    "SIPp's callees have the transport of --target: --callee-transport "
                            + calleeTransport
                            + " needs a workload");
        }
    }

    private void checkUntold() {
        Map<String, Boolean> given = new LinkedHashMap<>();
        given.put("--workload", workload != null);
        given.put("--ring", ring != null);
        given.put("--redial or --header", callers.given());
        given.put("--max-held", maxHeld != null);
        given.put("--user", !users.isEmpty());
        given.put("--users", usersFile != null);
        given.put("--expires", expires != null);
        given.put("--web", web != null);
        given.put("--web-page", webPage != null);
        given.put("--web-events", webEvents != null);
        given.put("--web-times", webTimes != null);
        given.put("--web-hang-up", webHangUp != null);
        given.put("--self-warmup", selfWarmUp != null);
        given.put("--histogram-log", histogramLog != null);
        given.forEach((option, isGiven) -> {
            if (isGiven) {
                throw new IllegalArgumentException(
                        "SIPp is not told of " + option + ": it is of no use to a scenario");
            }
        });
    }

    static int exitCode(LoadSummary summary) {
        if (summary.generatorLimited()) {
            return 3;
        }
        return summary.broken().isEmpty() ? 0 : 1;
    }

    /**
     * Checks the arguments.
     *
     * @throws IllegalArgumentException with a sentence for the first that is wrong
     */
    LoadSettings settings() throws IOException {
        Workload chosen = workload == null ? Workload.B2BUA : Workload.of(workload);
        if (chosen == null) {
            throw new IllegalArgumentException(
                    "--workload is one of " + Workload.names() + ", not " + workload);
        }
        if (!arrivals.equals("even") && !arrivals.equals("poisson")) {
            throw new IllegalArgumentException("--arrivals is even or poisson, not " + arrivals);
        }
        long mostHeld = maxHeld == null ? MOST_HELD : maxHeld;
        least("--max-held", mostHeld, 1);
        least("--calls", calls == null ? 1 : calls, 1);
        RatePlan plan = RatePlan.parse(rate);
        ListeningPoint point = target();
        checkScenarios(plan, point.transport());
        InetSocketAddress server = address(point);
        return new LoadSettings(
                chosen,
                plan,
                arrivals.equals("poisson"),
                duration(plan),
                TimeText.parse(warmup),
                calls == null ? Long.MAX_VALUE : calls,
                hold(chosen),
                ring == null ? Duration.ofSeconds(chosen.ringSeconds()) : TimeText.parse(ring),
                mostHeld,
                point.transport(),
                calleeTransport(point.transport()),
                server,
                to,
                local.isEmpty() ? localTo(server) : local,
                port("--caller-port", callerPort),
                port("--callee-port", calleePort),
                users(chosen),
                expires == null ? 3600 : expires,
                pages(chosen),
                serverPids(),
                TimeText.parse(selfWarmUp == null ? "3s" : selfWarmUp),
                callers.habits(),
                limits.limits(),
                new LoadSettings.Files(json, jsonLines, histogramLog),
                live());
    }

    private static void least(String option, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(option + " is at least " + least + ", not " + value);
        }
    }

    private static int port(String option, int value) {
        if (value < 0 || value > 65_535) {
            throw new IllegalArgumentException(option + " is a port from 0 to 65535, not " + value);
        }
        return value;
    }

    private Duration duration(RatePlan plan) {
        if (duration != null) {
            return TimeText.parse(duration);
        }
        if (plan.ramp()) {
            return Duration.ofNanos(plan.rampNanos());
        }
        return calls == null ? Duration.ofSeconds(30) : Duration.ofDays(366);
    }

    /**
     * A scenario's pauses without a time of their own are not meant to last as long as a
     * workload's.
     */
    private Duration hold(Workload chosen) {
        if (hold != null) {
            return TimeText.parse(hold);
        }
        return Duration.ofSeconds(scenarioUac == null ? chosen.holdSeconds() : 0);
    }

    private List<RegisteredUser> users(Workload chosen) throws IOException {
        List<RegisteredUser> all = new ArrayList<>();
        for (String user : users) {
            all.add(RegisteredUser.parse(user));
        }
        if (usersFile != null) {
            all.addAll(RegisteredUser.file(usersFile));
        }
        if (chosen == Workload.REGISTER && all.isEmpty()) {
            throw new IllegalArgumentException(
                    "--workload register needs --user NAME:PASSWORD or --users FILE");
        }
        return all;
    }

    private LoadSettings.@Nullable Pages pages(Workload chosen) {
        if (chosen != Workload.WEB_VOICE_MAIL) {
            return null;
        }
        if (web == null || webHangUp == null) {
            throw new IllegalArgumentException(
                    "--workload web-voice-mail needs --web URL and --web-hang-up URL");
        }
        HttpTrigger.check("--web", web);
        HttpTrigger.check("--web-hang-up", webHangUp);
        if (webPage != null) {
            HttpTrigger.check("--web-page", webPage);
        }
        if (webEvents != null) {
            HttpTrigger.check("--web-events", webEvents);
        }
        return new LoadSettings.Pages(webPage, webEvents, web, webHangUp, webTimes);
    }

    private List<Long> serverPids() {
        for (long pid : serverPids) {
            if (ProcessHandle.of(pid).isEmpty()) {
                throw new IllegalArgumentException(
                        "--server-pid: there is no process " + pid + " on this machine");
            }
        }
        return serverPids;
    }

    @SuppressWarnings("SystemConsoleNull") // NullAway holds that there may be none
    private boolean live() {
        Console console = System.console();
        return !plain && console != null && console.isTerminal();
    }

    private ListeningPoint target() {
        try {
            ListeningPoint point = ListeningPoint.parse(target);
            if (point.port() == 0 || point.host().equals("0.0.0.0")) {
                throw new IllegalArgumentException(target);
            }
            return point;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--target is udp:HOST:PORT, or with tcp, tls, ws or wss for udp, not " + target,
                    e);
        }
    }

    private Transport calleeTransport(Transport standard) {
        String named = calleeTransport;
        Transport known = named == null ? standard : Transport.of(named);
        if (known == null) {
            throw new IllegalArgumentException(
                    "--callee-transport is udp, tcp, tls, ws or wss, not " + named);
        }
        return known;
    }

    private static InetSocketAddress address(ListeningPoint point) {
        InetAddress literal = HostLiteral.parse(point.host());
        try {
            return new InetSocketAddress(
                    literal != null ? literal : InetAddress.getByName(point.host()), point.port());
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "--target: no address is known for the host " + point.host(), e);
        }
    }

    /** Our address on the way to the server: the one the kernel would choose. */
    private static String localTo(InetSocketAddress server) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(server);
            return HostLiteral.print(socket.getLocalAddress());
        }
    }
}
