package io.carillon.server.cli;

import io.carillon.server.ladder.CallTrace;
import io.carillon.server.ladder.CaptureFile;
import io.carillon.server.ladder.LadderSvg;
import io.carillon.server.ladder.LadderText;
import io.carillon.server.ladder.TraceEvent;
import io.carillon.server.ladder.TraceJson;
import io.carillon.server.trace.TraceCommands;
import io.carillon.servlet.app.OwnFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** {@code carillon trace}: shows what was recorded of a call; its subcommands switch traces. */
@Command(
        name = "trace",
        description = "Shows a recorded call as a ladder; records calls of the running server.",
        subcommands = {
            TraceOnCommand.class,
            TraceSwitches.Off.class,
            TraceSwitches.Listing.class,
            TraceSwitches.Clear.class
        },
        mixinStandardHelpOptions = true)
final class TraceCommand implements Callable<Integer> {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final long LOOK_EVERY_MILLIS = 300;

    /** What the option is called in words. */
    enum Format {
        text,
        svg,
        pcap,
        json
    }

    @Parameters(
            arity = "0..1",
            paramLabel = "CALL-ID|USER",
            description = "A Call-ID, the id of an application session, or a user.")
    private String wanted = "";

    @Option(names = "--follow", description = "Goes on with what comes, until interrupted.")
    private boolean follow;

    @Option(names = "--messages", description = "Prints the messages too, below the ladder.")
    private boolean messages;

    @Option(names = "--bodies", description = "Shows bodies of every kind; keys stay hidden.")
    private boolean bodies;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "At most so many calls, the latest first (${DEFAULT-VALUE}).")
    private int limit = 5;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "${COMPLETION-CANDIDATES}; text by default.")
    private Format format = Format.text;

    @Option(names = "--json", description = "As --format json.")
    private boolean json;

    @Option(names = "--out", paramLabel = "FILE", description = "Where to write it.")
    private @Nullable Path out;

    @Mixin private ControlTarget target = new ControlTarget();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        if (json) {
            format = Format.json;
        }
        if (limit < 1) {
            throw new ParameterException(spec.commandLine(), "--limit has to be at least 1");
        }
        if (follow) {
            return follow();
        }
        if (wanted.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "say which call: a Call-ID or a user; or: on, off, list, clear");
        }
        Path file = out;
        if (format == Format.pcap && file == null) {
            throw new ParameterException(spec.commandLine(), "--format pcap needs --out FILE");
        }
        String answer = target.ask("trace-show", question(bodies, limit, 0));
        List<CallTrace> calls = TraceJson.calls(answer);
        if (format == Format.svg && calls.size() > 1) {
            calls = calls.subList(0, 1); // a drawing shows one call: the latest
        }
        byte[] bytes =
                format == Format.pcap
                        ? CaptureFile.of(calls)
                        : text(calls).getBytes(StandardCharsets.UTF_8);
        PrintWriter terminal = spec.commandLine().getOut();
        if (file == null) {
            terminal.print(new String(bytes, StandardCharsets.UTF_8));
        } else {
            write(file, bytes);
            terminal.println(file + ": " + described(calls));
        }
        terminal.flush();
        return 0;
    }

    private String question(boolean withBodies, int most, long after) {
        return JSON.writeValueAsString(new TraceCommands.Question(wanted, withBodies, most, after));
    }

    private static void write(Path file, byte[] bytes) throws IOException {
        try {
            OwnFolder.write(file, bytes); // it holds what was said
        } catch (IOException e) {
            throw new IOException(file + " cannot be written: " + e.getMessage(), e);
        }
    }

    private static String described(List<CallTrace> calls) {
        long events = calls.stream().mapToLong(call -> call.events().size()).sum();
        return calls.size() + (calls.size() == 1 ? " call, " : " calls, ") + events + " events";
    }

    private String text(List<CallTrace> calls) {
        return switch (format) {
            case json -> TerminalWriter.safe(TraceJson.pretty(calls) + "\n");
            case svg -> LadderSvg.of(calls.getFirst());
            default ->
                    TerminalWriter.safe( // a file, too, is looked at in a terminal
                            String.join("\n", calls.stream().map(this::ladder).toList()));
        };
    }

    private String ladder(CallTrace call) {
        return LadderText.of(call, ZoneId.systemDefault(), messages);
    }

    /** Asks again and again: a slow terminal slows nobody but itself. */
    private int follow() throws Exception {
        PrintWriter terminal = spec.commandLine().getOut();
        long after = 0;
        while (!terminal.checkError()) {
            List<TraceEvent> events =
                    TraceJson.events(target.ask("trace-follow", question(bodies, 1, after)));
            for (String line : LadderText.lines(events, ZoneId.systemDefault())) {
                terminal.println(line);
            }
            terminal.flush();
            if (events.isEmpty()) {
                TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
            } else {
                after = events.getLast().sequence();
            }
        }
        return 0;
    }
}
