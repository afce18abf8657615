package io.carillon.server.cli;

import io.carillon.server.AdminPlace;
import io.carillon.server.HomeFolder;
import io.carillon.server.audit.AuditCommands;
import io.carillon.server.audit.AuditEntry;
import io.carillon.server.audit.AuditReader;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** {@code carillon audit}: who changed what, from the server or from the files of its log. */
@Command(
        name = "audit",
        description = "Who changed what, when, from where; refused attempts too.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:done",
            "1:failed, or --verify found a line that was changed",
            "2:wrong arguments"
        })
final class AuditCommand implements Callable<Integer> {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Stages of an entry. */
    enum Stage {
        begun,
        done,
        failed,
        refused
    }

    @Option(names = "--who", paramLabel = "NAME", description = "Of that account or user.")
    private String who = "";

    @Option(names = "--what", paramLabel = "TEXT", description = "Of operations that begin so.")
    private String what = "";

    @Option(
            names = "--stage",
            paramLabel = "STAGE",
            description = "One of ${COMPLETION-CANDIDATES}.")
    private @Nullable Stage stage;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Of that time (UTC) and later, as in 2026-11-26T08:00.")
    private String since = "";

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "The last so many (${DEFAULT-VALUE}), at most 1000.")
    private int limit = 50;

    @Option(
            names = "--verify",
            description = "Goes through the whole log and says whether a line was changed.")
    private boolean verify;

    @Option(
            names = "--changes",
            description = "Of each also what was asked for, and how it stood before and after.")
    private boolean changes;

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Mixin private ControlTarget target = new ControlTarget();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        return verify ? verified() : listed();
    }

    private String ask(String command, String argument) throws Exception {
        return target.runs()
                ? target.ask(command, argument)
                : AdminPlace.of(target.configuration().admin(), HomeFolder.current())
                        .audit(command, argument);
    }

    private int verified() throws Exception {
        String answer = ask("audit-verify", "");
        AuditReader.Verdict verdict = AuditCommands.readVerdict(answer);
        String fault = verdict.fault();
        print(
                json
                        ? answer
                        : fault != null
                                ? "CHANGED: " + fault
                                : verdict.lines()
                                        + " lines, each after the one that was written before it"
                                        + (verdict.torn() == 0
                                                ? ""
                                                : "; "
                                                        + verdict.torn()
                                                        + " cut off as a process died"));
        return fault == null ? 0 : 1;
    }

    private int listed() throws Exception {
        String answer =
                ask(
                        "audit",
                        JSON.writeValueAsString(
                                new AuditReader.Filter(
                                        who,
                                        what,
                                        stage == null ? "" : stage.name(),
                                        since,
                                        Math.clamp(limit, 1, 1_000))));
        if (json) {
            print(answer);
            return 0;
        }
        if (changes) {
            StringBuilder all = new StringBuilder();
            AuditCommands.readList(answer).forEach(one -> change(all, one));
            print(all.isEmpty() ? "nothing is written" : all.toString().stripTrailing());
            return 0;
        }
        TextTable table =
                new TextTable("TIME", "STAGE", "WHO", "WAY", "FROM", "WHAT", "ON", "RESULT");
        for (AuditEntry one : AuditCommands.readList(answer)) {
            table.row(
                    one.time(),
                    one.stage(),
                    one.who().isEmpty() ? "-" : one.who(),
                    one.way(),
                    one.from(),
                    one.what(),
                    one.on().isEmpty() ? shortened(one.asked()) : one.on(),
                    result(one));
        }
        print(table.empty() ? "nothing is written" : table.text().stripTrailing());
        return 0;
    }

    private static void change(StringBuilder out, AuditEntry one) {
        out.append(one.time())
                .append("  ")
                .append(one.stage())
                .append("  ")
                .append(one.who().isEmpty() ? "-" : one.who())
                .append(" (")
                .append(one.way())
                .append(" from ")
                .append(one.from())
                .append(")  ")
                .append(one.what())
                .append(one.on().isEmpty() ? "" : " " + one.on())
                .append('\n');
        line(out, "asked", one.asked());
        line(out, "before", one.before());
        line(out, "after", one.after());
        line(out, "result", result(one));
    }

    private static void line(StringBuilder out, String name, @Nullable String text) {
        if (text != null && !text.isEmpty()) {
            out.append(String.format(Locale.ROOT, "  %-7s", name))
                    .append(text.strip().replace("\n", "\n         "))
                    .append('\n');
        }
    }

    private static String shortened(String asked) {
        return asked.length() <= 60 ? asked : asked.substring(0, 60) + "...";
    }

    private static String result(AuditEntry one) {
        String text = (one.status() == 0 ? "" : one.status() + " ") + one.result();
        return one.unwritten() == 0
                ? text.strip()
                : text.strip() + " (" + one.unwritten() + " more refused before)";
    }

    private void print(String text) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(text);
        out.flush();
    }
}
