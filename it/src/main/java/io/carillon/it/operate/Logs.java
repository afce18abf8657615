package io.carillon.it.operate;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.PackedClasses;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.lab.rig.Sipp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code ./carillon it logs}: calls through an application that logs by SLF4J, java.util.logging
 * and its servlet context, on event loops and on threads of its own; each line of JSON has to name
 * the call that it is of.
 */
@Command(
        name = "logs",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Does each line of the log, as JSON, name its call, and none another's?")
public final class Logs implements Callable<Integer> {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final List<String> WORDS = List.of("slf4j", "jul", "context", "bye", "timer");
    private static final int TAIL_SECONDS = 120;

    @Option(names = "--calls", defaultValue = "10000", description = "(${DEFAULT-VALUE})")
    private int calls;

    @Option(names = "--rate", defaultValue = "200", description = "calls/s (${DEFAULT-VALUE})")
    private int rate;

    @Option(names = "--out", description = "folder of logs and counts (it/target/logs-TIME)")
    private String out = "";

    private int lines;
    private int wrong;
    private final Map<String, Set<String>> words = new HashMap<>();

    @Override
    public Integer call() {
        try {
            return measure();
        } catch (IOException e) {
            System.err.println("carillon it logs: " + e.getMessage());
            return 1;
        }
    }

    private int measure() throws IOException {
        Path folder = Folders.results(out, "it", "logs");
        Path config =
                Files.writeString(
                        folder.resolve("carillon.yaml"),
                        "log: {format: json}\nguard: {trusted: [127.0.0.0/8]}\nsip: {shards: 2}\n");
        int port = ServerProcess.freePort();
        long succeeded = 0;
        long failed = 0;
        try (ServerProcess server =
                CarillonLaunch.at(port)
                        .running(archive(folder))
                        .with("--config", config.toString())
                        .start(folder)) {
            try (Sipp quick = caller(folder.resolve("quick"), "quick", port);
                    Sipp waits = caller(folder.resolve("waits"), "waits", port)) {
                quick.await((long) calls / rate + TAIL_SECONDS);
                waits.await(TAIL_SECONDS);
            }
            Pause.millis(1000);
            server.checkAlive();
        }
        for (String user : List.of("quick", "waits")) {
            Sipp.Counts counts = Sipp.counts(folder.resolve(user));
            succeeded += counts.succeeded();
            failed += counts.failed();
        }
        try (Stream<String> log = Files.lines(folder.resolve("carillon.log"))) {
            log.forEach(this::look);
        }
        int whole = 0;
        for (Set<String> said : words.values()) {
            whole += said.size() == WORDS.size() ? 1 : 0;
        }
        System.out.printf(
                "%d calls, %d failed: %d lines of application code, %d name no call or another one;"
                        + " all %d lines of %d calls are there%n",
                succeeded + failed, failed, lines, wrong, WORDS.size(), whole);
        return failed == 0 && wrong == 0 && whole == succeeded && succeeded >= calls / 2 * 2L
                ? 0
                : 1;
    }

    /** Lines of the start, which are not JSON, and of the server are passed over. */
    private void look(String line) {
        JsonNode json;
        try {
            json = line.startsWith("{") ? JSON.readTree(line) : null;
        } catch (JacksonException e) {
            wrong++;
            System.out.println("WRONG: no JSON: " + line);
            return;
        }
        String[] said = json == null ? new String[0] : json.path("message").asString("").split(" ");
        if (said.length != 2 || json == null || !WORDS.contains(said[0])) {
            return;
        }
        lines++;
        words.computeIfAbsent(said[1], _ -> new HashSet<>()).add(said[0]);
        if (!said[1].equals(json.path("callId").asString(""))
                || !json.path("application").asString("").equals("logging")
                || json.path("session").asString("").isEmpty()) {
            wrong++;
            System.out.println("WRONG: " + line);
        }
    }

    private Sipp caller(Path folder, String user, int port) throws IOException {
        List<String> options =
                List.of(
                        "127.0.0.1:" + port,
                        "-key",
                        "user",
                        user,
                        "-r",
                        Integer.toString(Math.max(1, rate / 2)),
                        "-m",
                        Integer.toString(calls / 2),
                        "-l",
                        "1000000",
                        "-d",
                        "20");
        Path scenario = Folders.scenarios().resolve("uas-uac.xml");
        return Sipp.start(folder, "", scenario, ServerProcess.freePort(), options);
    }

    private static Path archive(Path folder) throws IOException {
        String descriptor =
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <sip-app xmlns="http://www.jcp.org/xml/ns/sipservlet" version="1.1">
                  <app-name>logging</app-name>
                  <servlet-selection><main-servlet>logging</main-servlet></servlet-selection>
                  <servlet>
                    <servlet-name>logging</servlet-name>
                    <servlet-class>io.carillon.it.operate.LoggingServlet</servlet-class>
                  </servlet>
                  <listener>
                    <listener-class>io.carillon.it.operate.LoggingServlet</listener-class>
                  </listener>
                </sip-app>
                """;
        return PackedClasses.war(
                folder.resolve("logging.war"), descriptor, List.of(LoggingServlet.class));
    }
}
