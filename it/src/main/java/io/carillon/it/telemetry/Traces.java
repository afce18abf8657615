package io.carillon.it.telemetry;

import io.carillon.it.registration.TrialUsers;
import io.carillon.lab.process.ChildProcess;
import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.CallTimes;
import io.carillon.lab.rig.LoadProcess;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.lab.rig.Sipp;
import io.carillon.server.config.ConfigurationReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon it traces}: a real Jaeger gets the traces of real calls, and its query API is
 * asked for them.
 */
@Command(
        name = "traces",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Sends traces of calls to a real Jaeger, and asks it for them.")
public final class Traces implements Callable<Integer> {
    private static final long START_SECONDS = 180;
    private static final long END_SECONDS = 15;
    private static final long PATIENCE_SECONDS = 20;
    private static final String CLICK = "POST /lab/call";

    @Option(
            names = "--jaeger",
            description =
                    "the program jaeger-all-in-one (on the path, or where go install puts it)")
    private String program = "";

    @Option(names = "--if-installed", description = "without a Jaeger: says so, and ends well")
    private boolean ifInstalled;

    @Option(names = "--out", description = "folder of logs (it/target/traces-TIME)")
    private String out = "";

    private final List<String> failures = new ArrayList<>();

    @Override
    public Integer call() {
        Path jaeger = Jaeger.find(program);
        if (jaeger == null) {
            System.out.println(
                    "No Jaeger here: docs/guides/telemetry.md says how to build one; name it with"
                            + " --jaeger");
            return ifInstalled ? 0 : 1;
        }
        try {
            Path folder = Folders.results(out, "it", "traces");
            try (Jaeger receiver = Jaeger.start(jaeger, folder)) {
                webVoiceMail(receiver, folder);
                registrar(receiver, folder);
                failedAlone(receiver, folder);
            }
            System.out.println("Logs: " + folder);
            return failures.isEmpty() ? 0 : 1;
        } catch (IOException e) {
            System.err.println("carillon it traces: " + e.getMessage());
            return 1;
        }
    }

    // ---- a click, over both legs, to the BYE ----

    private void webVoiceMail(Jaeger jaeger, Path folder) throws IOException {
        Path jar = Folders.program("web-voice-mail");
        if (!Files.exists(jar)) {
            throw new IOException("there is no " + jar + ": ./carillon build makes it");
        }
        int sip = ServerProcess.freePort();
        int web = ServerProcess.freePort();
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--sun-misc-unsafe-memory-access=allow",
                        "-Xmx512m",
                        "-jar",
                        jar.toString(),
                        "--voicemail.lab=true",
                        "--carillon.listen=udp:127.0.0.1:" + sip + ",tcp:127.0.0.1:" + sip,
                        "--carillon.telemetry.traces.otlp=" + jaeger.endpoint(),
                        "--carillon.telemetry.traces.sample-percent=100",
                        "--server.port=" + web);
        try (ChildProcess server =
                ChildProcess.start(
                        "web-voice-mail",
                        "",
                        command,
                        folder.resolve("web-voice-mail.log"),
                        END_SECONDS)) {
            server.awaitLine("READY", START_SECONDS);
            click(sip, web, folder);
            List<TraceView> traces = jaeger.await("web-voice-mail", 1, PATIENCE_SECONDS);
            TraceView trace = traces.isEmpty() ? new TraceView("", List.of()) : traces.getFirst();
            print("web voice mail", trace);
            check("one user is one trace", traces.size() == 1);
            check("its root is the click", trace.count(CLICK) == 1);
            check("both legs are in it", trace.count(CLICK + " > call > INVITE") == 2);
            check("the BYEs of both legs are in it", trace.count(CLICK + " > call > BYE") == 2);
            check(
                    "what was said of the mailbox is in it",
                    trace.count(CLICK + " > call > NOTIFY") > 0);
            check(
                    "its handlers are in it",
                    trace.spans().stream()
                            .anyMatch(one -> one.path().contains("web-voice-mail 200 INVITE")));
        }
    }

    private static void click(int sip, int web, Path folder) throws IOException {
        String base = "http://127.0.0.1:" + web;
        LoadProcess.Plan plan =
                new LoadProcess.Plan(
                        "web-voice-mail",
                        "udp:127.0.0.1:" + sip,
                        1,
                        0,
                        1,
                        new CallTimes(0, 2),
                        "",
                        List.of(
                                "--web-page",
                                base + "/",
                                "--web",
                                base + "/lab/call?phone={phone}&mail={mail}",
                                "--web-hang-up",
                                base + "/lab/hang-up?phone={phone}"));
        try (LoadProcess load = LoadProcess.start(plan, folder.resolve("load"))) {
            load.awaitSummary();
        }
    }

    // ---- a call through the location service: database and DNS ----

    private void registrar(Jaeger jaeger, Path folder) throws IOException {
        Path root = Folders.root();
        int callee = ServerProcess.freePort();
        Path home = folder.resolve("home-registrar");
        Files.createDirectories(home);
        TrialUsers.add(
                ConfigurationReader.standard().database(), home, List.of("phone1"), "secret");
        Path scenario = folder.resolve("register-and-call.xml");
        Files.writeString(
                scenario,
                Files.readString(root.resolve("examples/registrar/sipp/register-and-call.xml"))
                        .replace("[local_ip]:6560>\nExp", "localhost:" + callee + ">\nExp"));
        try (ServerProcess server =
                        ExampleServers.one(
                                        home,
                                        yaml(jaeger, folder, "registrar", "100 %"),
                                        "registrar")
                                .named("registrar")
                                .start(folder);
                Sipp phone =
                        Sipp.start(
                                folder.resolve("callee"),
                                "",
                                root.resolve("lab/scenarios/proxy200-uas.xml"),
                                callee,
                                List.of());
                Sipp caller = caller(server, scenario, folder)) {
            caller.await(PATIENCE_SECONDS);
            List<TraceView> traces = jaeger.await("registrar", 1, PATIENCE_SECONDS);
            TraceView trace = traces.isEmpty() ? new TraceView("", List.of()) : traces.getFirst();
            print("registrar", trace);
            check("one call is one trace", traces.size() == 1);
            check(
                    "the database is asked in the handler",
                    trace.spans().stream()
                            .anyMatch(one ->
                                    one.path().startsWith("call > INVITE > registrar INVITE > ")
                                            && one.tags().containsKey("db.operation.name")));
            check("the name of the phone was looked up", trace.count("call > DNS localhost") == 1);
            check("it came and it left", trace.count("call > INVITE") == 2);
            check("SIPp's callee is alive", phone.cpuNanos() >= 0);
        }
    }

    private static Sipp caller(ServerProcess server, Path scenario, Path folder)
            throws IOException {
        return Sipp.start(
                folder.resolve("caller"),
                List.of(
                        "-sf",
                        scenario.toString(),
                        "-s",
                        "phone1",
                        "-au",
                        "phone1",
                        "-ap",
                        "secret",
                        "-p",
                        Integer.toString(ServerProcess.freePort()),
                        "-d",
                        "1000",
                        "-m",
                        "1",
                        "127.0.0.1:" + server.port()));
    }

    // ---- of calls that are not drawn, those that failed ----

    private void failedAlone(Jaeger jaeger, Path folder) throws IOException {
        Path root = Folders.root();
        int calls = 20;
        try (ServerProcess server =
                ExampleServers.routed(
                                folder.resolve("home-failures"),
                                yaml(jaeger, folder, "failures", "0 %"))
                        .named("failures")
                        .start(folder)) {
            for (String scenario : List.of("passes", "blocked")) {
                try (Sipp caller =
                        Sipp.start(
                                folder.resolve("sipp-" + scenario),
                                List.of(
                                        "-sf",
                                        root.resolve("examples/call-blocking/sipp")
                                                .resolve(scenario + ".xml")
                                                .toString(),
                                        "-s",
                                        "blocking",
                                        "-m",
                                        Integer.toString(calls),
                                        "-r",
                                        "20",
                                        "-p",
                                        Integer.toString(ServerProcess.freePort()),
                                        "127.0.0.1:" + server.port()))) {
                    caller.await(PATIENCE_SECONDS);
                    check(scenario + ": its calls go as they should", caller.exitCode() == 0);
                }
            }
            jaeger.await("failures", calls, PATIENCE_SECONDS);
            Pause.millis(2_000);
            List<TraceView> traces = jaeger.traces("failures");
            check(
                    "of "
                            + 2 * calls
                            + " calls the "
                            + calls
                            + " that failed are kept, not "
                            + traces.size(),
                    traces.size() == calls);
            check(
                    "each says that it failed",
                    traces.stream()
                            .flatMap(one -> one.spans().stream())
                            .filter(span -> span.path().equals("call"))
                            .allMatch(span ->
                                    "true".equals(span.tags().get("carillon.call.failed"))));
        }
    }

    private static Path yaml(Jaeger jaeger, Path folder, String service, String sample)
            throws IOException {
        Path yaml = folder.resolve(service + ".yaml");
        Files.writeString(
                yaml,
                """
                telemetry:
                  traces: { otlp: "%s", service: %s, sample: %s }
                security: { algorithms: [md5] }
                """
                        .formatted(jaeger.endpoint(), service, sample));
        return yaml;
    }

    private static void print(String what, TraceView trace) {
        System.out.println(what + ": trace " + trace.id());
        for (Map.Entry<String, Integer> path : trace.paths().entrySet()) {
            System.out.printf("  %2d  %s%n", path.getValue(), path.getKey());
        }
    }

    private void check(String what, boolean holds) {
        System.out.println((holds ? "ok      " : "FAILED  ") + what);
        if (!holds) {
            failures.add(what);
        }
    }
}
