package io.carillon.server.cli;

import io.carillon.server.ladder.TracedCalls;
import io.carillon.server.trace.TraceRequest;
import java.io.PrintWriter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** {@code carillon trace on}. */
@Command(
        name = "on",
        description = "Records calls from now on; ends by itself.",
        mixinStandardHelpOptions = true)
final class TraceOnCommand extends ControlQuestion {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Option(
            names = "--call-id",
            paramLabel = "ID",
            description = "The call with this Call-ID or application session.")
    private @Nullable String callId;

    @Option(names = "--user", paramLabel = "USER", description = "Calls from or to this user.")
    private @Nullable String user;

    @Option(
            names = "--peer",
            paramLabel = "ADDRESS",
            description = "Calls from or to this address, in digits; :PORT may follow.")
    private @Nullable String peer;

    @Option(names = "--percent", paramLabel = "P", description = "This share of all calls.")
    private @Nullable Double percent;

    @Option(names = "--all", description = "Every call.")
    private boolean all;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Until it ends by itself: 90s, 10m, 2h (trace.standard-for).")
    private @Nullable Duration time;

    @Option(
            names = "--calls",
            paramLabel = "N",
            description = "It takes up no more than so many calls (trace.standard-calls).")
    private @Nullable Integer calls;

    TraceOnCommand() {
        super("trace-on");
    }

    @Override
    String argument() {
        return JSON.writeValueAsString(
                new TraceRequest(
                        callId,
                        user,
                        peer,
                        percent,
                        all,
                        time == null ? null : time.toSeconds(),
                        calls));
    }

    @Override
    void print(String answer, PrintWriter out) {
        TracedCalls.On on = JSON.readValue(answer, TracedCalls.On.class);
        out.println(
                "trace "
                        + on.number()
                        + " is on: "
                        + on.what()
                        + ", for "
                        + TraceSwitches.words(on.secondsLeft())
                        + " and at most "
                        + on.mostCalls()
                        + (on.mostCalls() == 1 ? " call" : " calls")
                        + (on.calls() > 0 ? "; " + on.calls() + " running taken up" : ""));
    }
}
