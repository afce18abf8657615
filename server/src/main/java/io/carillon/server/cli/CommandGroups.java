package io.carillon.server.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;

/** The list of commands in the help: by what they are for, a line for each that most users need. */
final class CommandGroups implements IHelpSectionRenderer {
    private static final int COLUMNS = 78;
    private static final int NAME_COLUMNS = 14;

    /** What most users need, with what they are told of it. */
    private static final Map<String, String> FIRST =
            Map.of(
                    "run", "start the server; without archives with the examples",
                    "stop", "let calls end, then stop it",
                    "status", "what it does: calls, repeated messages, drops, pauses",
                    "deploy", "put an application into the running server",
                    "trace", "record calls, and show them as ladders",
                    "doctor", "what of this machine costs calls, and what mends it",
                    "load", "calls through any SIP server, counted and timed",
                    "users", "who may call: add, remove, list, passwd, roles");

    private static final List<String> FIRST_ORDER =
            List.of("run", "stop", "status", "deploy", "trace", "doctor", "load", "users");

    /** Others, by subject; what is in none stands under the last. */
    private static final Map<String, List<String>> SUBJECTS =
            Map.of(
                    "Applications", List.of("watch", "applications", "undeploy", "check", "route"),
                    "Calls", List.of("calls", "call", "hangup"),
                    "Cluster", List.of("cluster", "router", "witness"),
                    "Administration", List.of("admin", "audit"));

    private static final List<String> SUBJECT_ORDER =
            List.of("Applications", "Calls", "Cluster", "Administration");

    private static final String REST = "More";

    @Override
    public String render(Help help) {
        Map<String, Help> visible = help.subcommands();
        List<String> rest = new ArrayList<>(visible.keySet());
        StringBuilder text = new StringBuilder();
        for (String name : FIRST_ORDER) {
            if (rest.remove(name)) {
                text.append("  ").append(padded(name)).append(FIRST.get(name)).append('\n');
            }
        }
        text.append('\n');
        for (String subject : SUBJECT_ORDER) {
            List<String> names =
                    SUBJECTS.getOrDefault(subject, List.of()).stream()
                            .filter(rest::remove)
                            .toList();
            text.append(line(subject, names));
        }
        return text.append(line(REST, rest)).toString();
    }

    private static String line(String subject, List<String> names) {
        StringBuilder lines = new StringBuilder();
        StringBuilder line = new StringBuilder("  ").append(padded(subject));
        for (int i = 0; i < names.size(); i++) {
            String word = names.get(i) + (i + 1 < names.size() ? ", " : "");
            if (line.length() + word.length() > COLUMNS) {
                lines.append(line.toString().stripTrailing()).append('\n');
                line.setLength(0);
                line.append("  ").append(padded(""));
            }
            line.append(word);
        }
        return lines.append(line).append('\n').toString();
    }

    private static String padded(String name) {
        return name + " ".repeat(Math.max(1, NAME_COLUMNS - name.length()));
    }
}
