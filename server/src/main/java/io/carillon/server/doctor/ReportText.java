package io.carillon.server.doctor;

import java.util.List;
import java.util.Locale;
import tools.jackson.databind.EnumNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** The report for a terminal and for programs. */
public final class ReportText {
    private static final int WIDTH = 100;
    private static final String INDENT = " ".repeat(9);

    private ReportText() {}

    /** As lines for people: what costs calls first, what is well in one line each. */
    public static String terminal(Report report) {
        StringBuilder text = new StringBuilder();
        Report.Machine machine = report.machine();
        text.append(machine.system())
                .append(", ")
                .append(machine.processors())
                .append(machine.processors() == 1 ? " processor" : " processors");
        if (machine.memoryBytes() > 0) {
            text.append(", ").append(NumberText.bytes(machine.memoryBytes()));
        }
        text.append(", JDK ").append(machine.java()).append('\n');
        RunningServer server = report.server();
        text.append(
                server == null
                        ? "No server runs here.\n"
                        : "Server "
                                + server.pid()
                                + " on "
                                + String.join(", ", server.listening())
                                + ".\n");
        text.append("Watched for ")
                .append(NumberText.tenths(report.watchedSeconds()))
                .append(" s.\n\n");
        for (Severity shown : List.of(Severity.values()).reversed()) {
            report.findings().stream()
                    .filter(finding -> finding.severity() == shown)
                    .forEach(finding -> append(text, finding));
        }
        return text.append('\n').append(summary(report)).toString();
    }

    private static String summary(Report report) {
        return String.format(
                Locale.ROOT,
                "%d to be mended now (fault), %d under load (warning), %d to know (note), %d well.%n",
                report.count(Severity.FAULT),
                report.count(Severity.WARNING),
                report.count(Severity.NOTE),
                report.count(Severity.OK));
    }

    private static void append(StringBuilder text, Finding finding) {
        String label =
                finding.severity() == Severity.OK
                        ? "ok"
                        : finding.severity().name().toLowerCase(Locale.ROOT);
        text.append(String.format(Locale.ROOT, "%-8s ", label));
        wrap(text, finding.check() + ": " + finding.found());
        if (!finding.cost().isEmpty()) {
            text.append(INDENT);
            wrap(text, finding.cost());
        }
        for (String command : finding.mend()) {
            text.append(INDENT).append("  ").append(command).append('\n');
        }
    }

    /** Breaks between words; the first line is begun already. */
    private static void wrap(StringBuilder text, String words) {
        int column = INDENT.length();
        for (String word : words.split(" ", -1)) {
            if (column > INDENT.length() && column + 1 + word.length() > WIDTH) {
                text.append('\n').append(INDENT);
                column = INDENT.length();
            } else if (column > INDENT.length()) {
                text.append(' ');
                column++;
            }
            text.append(word);
            column += word.length();
        }
        text.append('\n');
    }

    /** As JSON. */
    public static String json(Report report) {
        return JsonMapper.builder()
                        .enumNamingStrategy(EnumNamingStrategies.LOWER_CASE)
                        .build()
                        .writerWithDefaultPrettyPrinter()
                        .writeValueAsString(report)
                + "\n";
    }
}
