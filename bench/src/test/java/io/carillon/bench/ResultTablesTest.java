package io.carillon.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The tables of docs/how-it-works/benchmarks.md are those of the files in docs/data/benchmarks, and
 * each result names a command, a build, a machine and a date. With {@code
 * -Dcarillon.docs.write=true} the page is written.
 */
class ResultTablesTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Path DATA = DOCS.resolve("data/benchmarks");
    private static final Pattern PLACE =
            Pattern.compile("<!-- results: ([a-z0-9-]+) -->\n(.*?)<!-- end -->", Pattern.DOTALL);

    @Test
    void thePageShowsWhatTheFilesHold() throws IOException {
        Path page = DOCS.resolve("how-it-works/benchmarks.md");
        String was = Files.readString(page);
        Set<String> shown = new HashSet<>();
        StringBuilder now = new StringBuilder();
        Matcher place = PLACE.matcher(was);
        while (place.find()) {
            shown.add(place.group(1) + ".csv");
            place.appendReplacement(
                    now,
                    Matcher.quoteReplacement(
                            "<!-- results: "
                                    + place.group(1)
                                    + " -->\n"
                                    + table(rows(DATA.resolve(place.group(1) + ".csv")))
                                    + "<!-- end -->"));
        }
        place.appendTail(now);
        if (Boolean.getBoolean("carillon.docs.write")) {
            Files.writeString(page, now);
            return;
        }
        assertThat(was)
                .as("written by: -Dtest=ResultTablesTest -Dcarillon.docs.write=true")
                .isEqualTo(now.toString());
        assertThat(shown).isEqualTo(files());
    }

    @Test
    void eachResultSaysByWhichCommandOnWhichBuildAndMachineAndWhen() throws IOException {
        Set<String> commands = firstColumn("commands.csv");
        Set<String> machines = firstColumn("machines.csv");
        for (String file : files()) {
            if (file.equals("commands.csv") || file.equals("machines.csv")) {
                continue;
            }
            List<List<String>> rows = rows(DATA.resolve(file));
            int width = rows.getFirst().size();
            assertThat(rows.getFirst().subList(width - 4, width))
                    .as(file)
                    .containsExactly("Command", "Build", "Machine", "Date");
            for (List<String> row : rows.subList(1, rows.size())) {
                assertThat(row).as(file).hasSize(width);
                assertThat(commands).as(file + ": " + row).contains(row.get(width - 4));
                assertThat(row.get(width - 3)).as(file + ": " + row).matches("[0-9a-f]{8}");
                assertThat(machines).as(file + ": " + row).contains(row.get(width - 2));
                assertThat(row.get(width - 1))
                        .as(file + ": " + row)
                        .matches("20\\d\\d-\\d\\d-\\d\\d");
            }
        }
    }

    private static Set<String> files() throws IOException {
        try (var all = Files.list(DATA)) {
            return Set.copyOf(all.map(path -> path.getFileName().toString()).toList());
        }
    }

    private static Set<String> firstColumn(String file) throws IOException {
        List<List<String>> rows = rows(DATA.resolve(file));
        return Set.copyOf(rows.subList(1, rows.size()).stream().map(List::getFirst).toList());
    }

    private static String table(List<List<String>> rows) {
        StringBuilder table = new StringBuilder();
        for (int i = 0; i < rows.size(); i++) {
            table.append("| ").append(String.join(" | ", rows.get(i))).append(" |\n");
            if (i == 0) {
                table.append("| --- ".repeat(rows.getFirst().size())).append("|\n");
            }
        }
        return table.toString();
    }

    /** Comma-separated, a cell with a comma in quotes (RFC 4180); no line break in a cell. */
    private static List<List<String>> rows(Path file) throws IOException {
        List<List<String>> rows = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            List<String> row = new ArrayList<>();
            StringBuilder cell = new StringBuilder();
            boolean quoted = false;
            for (char c : line.toCharArray()) {
                if (c == '"') {
                    quoted = !quoted;
                } else if (c == ',' && !quoted) {
                    row.add(cell.toString());
                    cell.setLength(0);
                } else {
                    cell.append(c);
                }
            }
            row.add(cell.toString());
            rows.add(row);
        }
        return rows;
    }
}
