package io.carillon.server.cli;

import io.carillon.server.ladder.TraceJson;
import io.carillon.server.ladder.TracedCalls;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The other subcommands of {@code carillon trace}. */
final class TraceSwitches {
    private static final long MIB = 1024 * 1024;

    private TraceSwitches() {}

    static String words(long seconds) {
        if (seconds % 3600 == 0 && seconds > 0) {
            return seconds / 3600 + " h";
        }
        return seconds % 60 == 0 && seconds > 0 ? seconds / 60 + " min" : seconds + " s";
    }

    /** {@code carillon trace off}. */
    @Command(
            name = "off",
            description = "Ends all traces, or one; what they recorded stays.",
            mixinStandardHelpOptions = true)
    static final class Off implements Callable<Integer> {
        @Parameters(
                arity = "0..1",
                paramLabel = "NUMBER",
                description = "Which one, as trace list numbers them.")
        private @Nullable Integer number;

        @Mixin private ControlTarget target = new ControlTarget();

        @Spec private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() throws Exception {
            String ended = target.ask("trace-off", number == null ? "" : number.toString()).strip();
            PrintWriter out = spec.commandLine().getOut();
            out.println(ended.equals("1") ? "1 trace is off" : ended + " traces are off");
            out.flush();
            return 0;
        }
    }

    /** {@code carillon trace clear}. */
    @Command(
            name = "clear",
            description = "Forgets what was recorded; traces that are on go on.",
            mixinStandardHelpOptions = true)
    static final class Clear implements Callable<Integer> {
        @Mixin private ControlTarget target = new ControlTarget();

        @Spec private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() throws Exception {
            target.ask("trace-clear");
            spec.commandLine().getOut().println("nothing is recorded any more");
            return 0;
        }
    }

    /** {@code carillon trace list}. */
    @Command(
            name = "list",
            description = "Lists the traces that are on, and the calls that were recorded.",
            mixinStandardHelpOptions = true)
    static final class Listing extends ControlQuestion {
        @Option(
                names = "--limit",
                paramLabel = "N",
                description = "At most so many calls, the latest first (${DEFAULT-VALUE}).")
        private int limit = 20;

        Listing() {
            super("trace-list");
        }

        @Override
        String argument() {
            return Integer.toString(Math.max(1, limit));
        }

        @Override
        void print(String answer, PrintWriter out) {
            print(TraceJson.list(answer), out);
        }

        private static void print(TracedCalls list, PrintWriter out) {
            if (list.traces().isEmpty()) {
                out.println("no trace is on");
            }
            for (TracedCalls.On on : list.traces()) {
                out.printf(
                        Locale.ROOT,
                        "trace %d: %s, %d of %d calls, ends in %s, by %s%n",
                        on.number(),
                        on.what(),
                        on.calls(),
                        on.mostCalls(),
                        words(on.secondsLeft()),
                        on.who());
            }
            out.printf(
                    Locale.ROOT,
                    "%d %s recorded, %.1f of %d MiB%n",
                    list.recordedCalls(),
                    list.recordedCalls() == 1 ? "call" : "calls",
                    (double) list.bytes() / MIB,
                    list.capacity() / MIB);
            TextTable table =
                    new TextTable("BEGAN", "METHOD", "FROM", "TO", "LEGS", "EVENTS", "CALL");
            for (TracedCalls.Call call : list.calls()) {
                table.row(
                        call.began(),
                        call.method(),
                        call.from(),
                        call.to(),
                        Integer.toString(call.legs()),
                        Integer.toString(call.events()),
                        call.id());
            }
            out.print(table.empty() ? "" : table.text());
        }
    }
}
