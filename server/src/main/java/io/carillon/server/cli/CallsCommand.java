package io.carillon.server.cli;

import io.carillon.server.calls.CallList;
import java.io.PrintWriter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** {@code carillon calls}: the calls that the running server holds. */
@Command(
        name = "calls",
        description = "Lists the calls that the running server holds, the longest first.",
        mixinStandardHelpOptions = true)
final class CallsCommand extends ControlQuestion {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** States of a call, as they are listed. */
    enum State {
        initial,
        early,
        confirmed,
        terminated
    }

    @Option(names = "--user", paramLabel = "USER", description = "Calls from or to this user.")
    private String user = "";

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "One of ${COMPLETION-CANDIDATES}.")
    private @Nullable State state;

    @Option(names = "--application", paramLabel = "NAME", description = "Calls it handles.")
    private String application = "";

    @Option(
            names = "--longer-than",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Calls that are older: 90s, 10m, 2h.")
    private Duration longerThan = Duration.ZERO;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "At most so many (${DEFAULT-VALUE}); 0: all.")
    private int limit = 50;

    CallsCommand() {
        super("calls");
    }

    @Override
    String argument() {
        return JSON.writeValueAsString(
                new CallList.Filter(
                        user,
                        state == null ? "" : state.name(),
                        application,
                        longerThan.toSeconds(),
                        limit));
    }

    @Override
    void print(String answer, PrintWriter out) {
        print(JSON.readValue(answer, CallList.class), out);
    }

    private static void print(CallList list, PrintWriter out) {
        TextTable table =
                new TextTable(
                        "ID", "FROM", "TO", "STATE", "DURATION", "APPLICATION", "LEGS", "NODE");
        for (CallList.Call call : list.calls()) {
            table.row(
                    call.id(),
                    call.from(),
                    call.to(),
                    call.state(),
                    duration(call.seconds()),
                    call.application(),
                    Integer.toString(call.legs()),
                    call.node());
        }
        if (!table.empty()) {
            out.print(table.text());
        }
        out.print(list.calls().size());
        if (list.calls().size() < list.matching()) {
            out.print(" of " + list.matching());
        }
        out.println(
                (list.matching() == 1 ? " call" : " calls")
                        + (list.matching() < list.held() ? ", " + list.held() + " held" : ""));
    }

    static String duration(long seconds) {
        long minutes = seconds / 60;
        return seconds >= 3600
                ? "%d:%02d:%02d".formatted(minutes / 60, minutes % 60, seconds % 60)
                : "%d:%02d".formatted(minutes, seconds % 60);
    }
}
