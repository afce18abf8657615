package io.carillon.sip.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;

/**
 * What a machine has to do, written by hand from the RFCs in {@code state-tables/expected.txt}. A
 * pair of state and event that stands nowhere there does nothing.
 */
public final class RfcTable {
    /**
     * A line of the file.
     *
     * @param state as the file has it, with what stands behind its name
     * @param reliableNext where it is at once, where a timer of no length runs
     * @param section of which RFC
     */
    public record Row(
            String state,
            String event,
            List<String> actions,
            String next,
            String reliableNext,
            String section) {}

    /** What a machine did. */
    public record Did(List<String> actions, String next) {}

    private RfcTable() {}

    /** The lines under that title. */
    public static List<Row> rows(String title) {
        List<Row> rows = new ArrayList<>();
        boolean within = false;
        for (String line : file().lines().toList()) {
            if (line.startsWith("[")) {
                within = line.equals("[" + title + "]");
            } else if (within && !line.isBlank() && !line.startsWith("#")) {
                rows.add(row(line));
            }
        }
        assertThat(rows).as(title).isNotEmpty();
        return rows;
    }

    private static Row row(String line) {
        String[] cells = line.split("\\|", -1);
        assertThat(cells).as(line).hasSize(5);
        String actions = cells[2].strip();
        String[] next = cells[3].split("/");
        String section = cells[4].strip();
        assertThat(section).as(line).matches("RFC \\d{4}.*\\d.*");
        return new Row(
                cells[0].strip(),
                cells[1].strip(),
                actions.isEmpty() ? List.of() : List.of(actions.split(", ")),
                next[0].strip(),
                next[next.length - 1].strip(),
                section);
    }

    /**
     * Gives every event to the machine in every state, and compares what it does with the file.
     *
     * @param step makes a machine anew, brings it to the state and gives it the event
     * @return the table in Markdown
     */
    public static String check(String title, List<String> states, List<String> events, Step step) {
        List<Row> rows = rows(title);
        List<Row> met = new ArrayList<>();
        List<String> otherwise = new ArrayList<>();
        BinaryOperator<String> row = (a, b) -> a + " | " + b;
        StringBuilder page = new StringBuilder("\n## ").append(title).append("\n\n");
        page.append("| Event | ").append(states.stream().reduce(row).orElseThrow()).append(" |\n");
        page.append("| --- |").append(" --- |".repeat(states.size())).append('\n');
        for (String event : events) {
            page.append("| ").append(event).append(" |");
            for (String state : states) {
                Did did = step.take(state, event);
                Row wanted =
                        rows.stream()
                                .filter(r -> r.state().equals(state) && r.event().equals(event))
                                .findFirst()
                                .orElse(new Row(state, event, List.of(), state, state, ""));
                met.add(wanted);
                if (!did.equals(new Did(wanted.actions(), wanted.next()))) {
                    otherwise.add(state + ", " + event + ": " + did + ", not " + wanted);
                }
                page.append(' ').append(cell(did, state)).append(" |");
            }
            page.append('\n');
        }
        assertThat(otherwise).as(title).isEmpty();
        assertThat(met).as(title + ": each line was met").containsAll(rows);
        return page.toString();
    }

    private static String cell(Did did, String state) {
        List<String> parts = new ArrayList<>(did.actions());
        if (!did.next().equals(state)) {
            parts.add("**" + did.next() + "**");
        }
        return parts.isEmpty() ? "·" : String.join(", ", parts);
    }

    /** Brings a new machine to a state, and gives it an event. */
    public interface Step {
        Did take(String state, String event);
    }

    /** The page of all tables. */
    public static Path page() {
        for (Path p = Path.of("").toAbsolutePath(); p != null; p = p.getParent()) {
            if (Files.isDirectory(p.resolve("docs")) && Files.isDirectory(p.resolve("sip"))) {
                return p.resolve("docs").resolve("reference/state-tables.md");
            }
        }
        throw new IllegalStateException("no docs above this");
    }

    /**
     * Compares a part of the page, from one heading to another, with what was printed now; with
     * {@code -Dcarillon.docs.write=true} writes it.
     *
     * @param from its first line; the page begins there where it is empty
     * @param to the first line of the next part; the page ends there where it is empty
     */
    public static void compare(String from, String to, String printed) throws IOException {
        String page = Files.readString(page(), StandardCharsets.UTF_8);
        int start = from.isEmpty() ? 0 : page.indexOf(from);
        int end = to.isEmpty() ? page.length() : page.indexOf(to);
        start = start < 0 ? page.length() : start;
        end = end < 0 ? page.length() : end;
        if (Boolean.getBoolean("carillon.docs.write")) {
            String anew = page.substring(0, start) + printed + page.substring(end);
            Files.writeString(page(), anew, StandardCharsets.UTF_8);
            return;
        }
        assertThat(page.substring(start, end))
                .as(
                        "docs/reference/state-tables.md; run with -Dcarillon.docs.write=true to write it anew")
                .isEqualTo(printed);
    }

    private static String file() {
        try (InputStream in = RfcTable.class.getResourceAsStream("/state-tables/expected.txt")) {
            assertThat(in).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
