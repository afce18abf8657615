package io.carillon.servlet.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What a transaction of an application has to do, written by hand from the RFCs and JSR 289 in
 * {@code state-tables/expected.txt}. A pair of state and event that stands nowhere there does
 * nothing.
 */
public final class RuleTable {
    /** What a transaction did. */
    public record Did(List<String> actions, String next) {}

    private record Row(String state, String event, Did did) {}

    /** Brings a new transaction to a state, and gives it an event. */
    public interface Step {
        Did take(String state, String event);
    }

    private RuleTable() {}

    private static List<Row> rows(String title) throws IOException {
        List<Row> rows = new ArrayList<>();
        boolean within = false;
        try (InputStream in = RuleTable.class.getResourceAsStream("/state-tables/expected.txt")) {
            byte[] all = Objects.requireNonNull(in).readAllBytes();
            for (String line : new String(all, StandardCharsets.UTF_8).lines().toList()) {
                if (line.startsWith("[")) {
                    within = line.equals("[" + title + "]");
                } else if (within && !line.isBlank() && !line.startsWith("#")) {
                    rows.add(row(line));
                }
            }
        }
        assertThat(rows).as(title).isNotEmpty();
        return rows;
    }

    private static Row row(String line) {
        String[] cells = line.split("\\|", -1);
        assertThat(cells).as(line).hasSize(5);
        assertThat(cells[4].strip()).as(line).matches("(RFC \\d{4}|JSR 289) \\d.*");
        String actions = cells[2].strip();
        List<String> does = actions.isEmpty() ? List.of() : List.of(actions.split(", "));
        return new Row(cells[0].strip(), cells[1].strip(), new Did(does, cells[3].strip()));
    }

    /**
     * Gives every event to the transaction in every state, and compares what it does with the file.
     *
     * @return the table in Markdown
     */
    public static String check(String title, List<String> states, List<String> events, Step step)
            throws IOException {
        List<Row> left = new ArrayList<>(rows(title));
        List<String> otherwise = new ArrayList<>();
        StringBuilder page = new StringBuilder("\n## ").append(title).append("\n\n");
        page.append("| Event | ").append(String.join(" | ", states)).append(" |\n");
        page.append("| --- |").append(" --- |".repeat(states.size())).append('\n');
        for (String event : events) {
            page.append("| ").append(event).append(" |");
            for (String state : states) {
                Did did = step.take(state, event);
                Did wanted =
                        left.stream()
                                .filter(r -> r.state().equals(state) && r.event().equals(event))
                                .map(Row::did)
                                .findFirst()
                                .orElse(new Did(List.of(), state));
                left.removeIf(r -> r.state().equals(state) && r.event().equals(event));
                if (!did.equals(wanted)) {
                    otherwise.add(state + ", " + event + ": " + did + ", not " + wanted);
                }
                page.append(' ').append(cell(did, state)).append(" |");
            }
            page.append('\n');
        }
        assertThat(otherwise).as(title).isEmpty();
        assertThat(left).as(title + ": each line was met").isEmpty();
        return page.toString();
    }

    private static String cell(Did did, String state) {
        List<String> parts = new ArrayList<>(did.actions());
        if (!did.next().equals(state)) {
            parts.add("**" + did.next() + "**");
        }
        return parts.isEmpty() ? "·" : String.join(", ", parts);
    }

    /**
     * Compares the last part of docs/reference/state-tables.md with what was printed now; with
     * {@code -Dcarillon.docs.write=true} writes it.
     *
     * @param from its first line
     */
    public static void compare(String from, String printed) throws IOException {
        Path file = Path.of("").toAbsolutePath();
        while (!Files.exists(file.resolve("docs/reference/state-tables.md"))) {
            file = Objects.requireNonNull(file.getParent(), "no docs above this");
        }
        file = file.resolve("docs/reference/state-tables.md");
        String page = Files.readString(file, StandardCharsets.UTF_8);
        int start = page.indexOf(from);
        start = start < 0 ? page.length() : start;
        if (Boolean.getBoolean("carillon.docs.write")) {
            Files.writeString(file, page.substring(0, start) + printed, StandardCharsets.UTF_8);
            return;
        }
        assertThat(page.substring(start))
                .as(
                        "docs/reference/state-tables.md; run with -Dcarillon.docs.write=true to write it anew")
                .isEqualTo(printed);
    }
}
