package io.carillon.server.cli;

import io.carillon.server.HomeFolder;
import io.carillon.server.calls.CallList;
import io.carillon.server.config.ConfigurationException;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.config.ConfigurationSources;
import io.carillon.server.config.ReadConfiguration;
import io.carillon.server.config.SecretText;
import io.carillon.server.control.ControlClient;
import io.carillon.server.control.ControlFolder;
import io.carillon.server.ladder.CallTrace;
import io.carillon.server.ladder.LadderText;
import io.carillon.server.ladder.TraceJson;
import io.carillon.server.ladder.TracedCalls;
import io.carillon.server.measure.StatusText;
import io.carillon.server.reload.ConfigurationText;
import io.carillon.server.support.LocalParts;
import io.carillon.server.support.SupportBundle;
import io.carillon.server.support.SupportCommands;
import io.carillon.server.trace.TraceCommands;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** {@code carillon support}: a file that a user can send. */
@Command(
        name = "support",
        description = {
            "Writes a file to send to who helps: configuration without secrets, status, threads,"
                    + " a recording of the JVM, metrics, the last ladders, doctor, log.",
            "Also where no server answers: then its contents say what is missing"
                    + " (docs/guides/support.md)."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:the file is written", "1:it could not be", "2:wrong arguments"})
final class SupportCommand implements Callable<Integer> {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final long ANSWER_SECONDS = 10;
    private static final int LADDERS = 20;
    private static final int CALLS = 1000;
    private static final int LONGEST_SECONDS = 300;
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Where to write it (carillon-support-DATE-TIME.zip).")
    private @Nullable Path out;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long the JVM is recorded: 30s without it, 5m at most.")
    private Duration time = Duration.ofSeconds(30);

    @Option(names = "--no-recording", description = "Without a recording of the JVM.")
    private boolean noRecording;

    @Mixin private ControlTarget target = new ControlTarget();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        if (time.toSeconds() < 1 || time.toSeconds() > LONGEST_SECONDS) {
            throw new ParameterException(spec.commandLine(), "--for has to be 1s to 5m");
        }
        PrintWriter terminal = spec.commandLine().getOut();
        Path file =
                out == null
                        ? Path.of(
                                "carillon-support-"
                                        + LocalDateTime.now(ZoneId.systemDefault()).format(STAMP)
                                        + ".zip")
                        : out;
        Path socket = socket();
        List<String> contents;
        String missing;
        try (SupportBundle bundle = SupportBundle.create(file)) {
            if (socket != null) {
                if (!noRecording) {
                    terminal.println("Recording the JVM for " + time.toSeconds() + " s ...");
                    terminal.flush();
                }
                ofServer(bundle, socket);
            }
            ofMachine(bundle, socket);
            contents = bundle.contents();
            missing = bundle.missing();
        }
        contents.forEach(terminal::println);
        terminal.println();
        terminal.println(
                file
                        + (socket == null ? ": no server answers here; " : ": ")
                        + missing
                        + ". Passwords and keys are stars; it has addresses, numbers and"
                        + " names of calls: look into it before you send it.");
        terminal.flush();
        return 0;
    }

    private @Nullable Path socket() throws IOException {
        try {
            return target.socketOrNull();
        } catch (ConfigurationException e) {
            // Its fault is told where the configuration is asked for.
            List<Path> running =
                    ControlClient.running(ControlFolder.of(null, HomeFolder.current().control()));
            return running.size() == 1 ? running.getFirst() : null;
        }
    }

    // ---- of the server ----

    private void ofServer(SupportBundle bundle, Path socket) throws IOException {
        bundle.add("threads-1.txt", "threads and their locks", () -> ask(socket, "threads"));
        if (!noRecording) {
            bundle.addBytes(
                    "recording.jfr",
                    "the JVM for " + time.toSeconds() + " s",
                    () ->
                            Base64.getDecoder()
                                    .decode(
                                            ask(
                                                    socket,
                                                    "recording " + time.toSeconds(),
                                                    time.toSeconds() + ANSWER_SECONDS)));
        }
        bundle.add("threads-2.txt", "the same later", () -> ask(socket, "threads"));
        bundle.add("threads-all.txt", "virtual threads too", () -> ask(socket, "all-threads"));
        bundle.add(
                "configuration.txt",
                "each value and its origin",
                () -> configuration(ask(socket, "config-show")));
        bundle.add("status.json", "the status", () -> ask(socket, "status"));
        bundle.add(
                "status.txt",
                "the status for people",
                () -> StatusText.terminal(StatusText.parse(ask(socket, "status"))));
        bundle.add("metrics.txt", "counters and histograms", () -> ask(socket, "metrics"));
        bundle.add("log.txt", "its last lines", () -> ask(socket, "log"));
        bundle.add("log-levels.json", "levels of the log", () -> ask(socket, "log-show"));
        bundle.add("applications.json", "what is deployed", () -> ask(socket, "applications"));
        bundle.add("bans.json", "sources that are banned", () -> ask(socket, "bans"));
        bundle.add("calls.json", "calls that are held", () -> ask(socket, "calls " + everyCall()));
        ladders(bundle, socket);
        bundle.add("cluster.json", "the cluster", () -> cluster(ask(socket, "cluster")));
    }

    /** A server of no cluster answers nothing. */
    private static String cluster(String answer) throws SupportBundle.NotHere {
        if (answer.isEmpty()) {
            throw new SupportBundle.NotHere("this server is in no cluster");
        }
        return answer;
    }

    private static String everyCall() {
        return JSON.writeValueAsString(new CallList.Filter("", "", "", 0, CALLS));
    }

    private static void ladders(SupportBundle bundle, Path socket) throws IOException {
        TracedCalls list;
        try {
            list = TraceJson.list(ask(socket, "trace-list " + LADDERS));
        } catch (Exception e) {
            bundle.add(
                    "ladders",
                    "calls that were traced",
                    () -> {
                        throw e;
                    });
            return;
        }
        int number = 0;
        for (TracedCalls.Call call : list.calls()) {
            String question =
                    JSON.writeValueAsString(new TraceCommands.Question(call.id(), false, 1, 0));
            bundle.add(
                    "ladders/%02d.txt".formatted(++number),
                    "call " + TerminalWriter.safe(call.id()),
                    () -> ladder(ask(socket, "trace-show " + question)));
        }
        if (number == 0) {
            bundle.add(
                    "ladders/none.txt",
                    "no call was traced",
                    () -> "./carillon trace on records calls (docs/guides/tracing.md)\n");
        }
    }

    private static String ladder(String answer) {
        StringBuilder text = new StringBuilder();
        for (CallTrace call : TraceJson.calls(answer)) {
            text.append(LadderText.of(call, ZoneId.systemDefault(), true));
        }
        return TerminalWriter.safe(text.toString());
    }

    private static String ask(Path socket, String part) throws Exception {
        return ask(socket, part, ANSWER_SECONDS);
    }

    /** A server that accepts and says nothing holds this command for a while only. */
    private static String ask(Path socket, String part, long seconds) throws Exception {
        FutureTask<String> answer =
                new FutureTask<>(() -> ControlClient.ask(socket, SupportCommands.COMMAND, part));
        Thread.ofPlatform().daemon().name("support-question").start(answer);
        try {
            return answer.get(seconds, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : e;
        } catch (TimeoutException e) {
            throw new IOException("the server did not answer within " + seconds + " s", e);
        }
    }

    private static String configuration(String json) {
        TextTable table = new TextTable("KEY", "VALUE", "FROM");
        ConfigurationText.readValues(json)
                .forEach(one -> table.row(one.key(), one.value(), one.origin()));
        return table.text();
    }

    // ---- of this machine ----

    private void ofMachine(SupportBundle bundle, @Nullable Path socket) throws IOException {
        SecretText secrets = secrets();
        if (socket == null) {
            bundle.add("status.txt", "the status", SupportCommand::noServer);
            bundle.add("threads-1.txt", "threads", SupportCommand::noServer);
            bundle.add("recording.jfr", "the JVM", SupportCommand::noServer);
            bundle.add("metrics.txt", "counters and histograms", SupportCommand::noServer);
            bundle.add(
                    "configuration.txt",
                    "each value that a start would have",
                    () -> configuration(ConfigurationText.values(read())));
        } else {
            long pid = ControlTarget.pid(socket);
            bundle.add("process.txt", "the process", () -> LocalParts.process(pid));
            bundle.add(
                    "threads-jcmd.txt",
                    "threads as the JVM's tool sees them",
                    () -> secrets.masked(LocalParts.threadsOf(pid)));
        }
        bundle.add("version.txt", "Carillon", () -> String.join("\n", VersionCommand.lines()));
        bundle.add("machine.txt", "this machine", LocalParts::machine);
        bundle.add("doctor.txt", "what of it costs calls", () -> secrets.masked(doctor()));
        bundle.add("journal.txt", "the journal", () -> secrets.masked(LocalParts.journal()));
        HomeFolder home = HomeFolder.current();
        for (Path crash :
                LocalParts.crashes(
                        List.of(
                                Path.of("").toAbsolutePath(),
                                home.folder(),
                                home.state(),
                                Path.of("/var/log/carillon")))) {
            bundle.add(
                    String.valueOf(crash.getFileName()),
                    "a crash of the JVM",
                    () -> secrets.masked(LocalParts.end(crash)));
        }
    }

    private static String noServer() throws IOException {
        throw new IOException("no server answers");
    }

    private ReadConfiguration read() throws ConfigurationException {
        return ConfigurationReader.read(ConfigurationSources.of(target.file()));
    }

    private SecretText secrets() {
        try {
            return SecretText.of(target.configuration());
        } catch (ConfigurationException e) {
            return SecretText.none(); // told with the configuration
        }
    }

    private String doctor() {
        StringWriter text = new StringWriter();
        PrintWriter writer = new PrintWriter(text);
        CommandLine line = Main.commandLine();
        line.setOut(writer);
        line.setErr(writer);
        Path config = target.file();
        int code =
                config == null
                        ? line.execute("doctor", "--watch", "0")
                        : line.execute("doctor", "--watch", "0", "--config", config.toString());
        writer.flush();
        return text + "\nexit code " + code + "\n";
    }
}
