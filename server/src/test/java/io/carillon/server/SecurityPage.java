package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tables of docs/guides/security.md about limits. */
public final class SecurityPage {
    private static final Path PAGE = Path.of("..", "docs", "guides/security.md");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private SecurityPage() {}

    /**
     * A row.
     *
     * @param what is limited, or waits, or is remembered
     * @param bound keys and defaults
     * @param atTheBound what happens
     * @param metric or why there is none
     */
    public record Row(String what, String bound, String atTheBound, String metric) {
        /** Without {@code carillon_}. */
        public Set<String> metrics() {
            return codes(metric);
        }
    }

    /** What is in code in a cell. */
    public static Set<String> codes(String cell) {
        Set<String> codes = new TreeSet<>();
        Matcher matcher = CODE.matcher(cell);
        while (matcher.find()) {
            codes.add(matcher.group(1));
        }
        return codes;
    }

    /** Rates, times and sizes. */
    public static List<Row> limits() throws IOException {
        return rows("| Limit | Key, default |").stream()
                .map(cells -> new Row(cells[0], cells[1], cells[2], cells[3]))
                .toList();
    }

    /** What waits or is remembered. */
    public static List<Row> waiting() throws IOException {
        return rows("| What | Owner | Who fills it |").stream()
                .map(cells -> new Row(cells[0], cells[3], cells[4], cells[6]))
                .toList();
    }

    private static List<String[]> rows(String head) throws IOException {
        List<String[]> rows = new ArrayList<>();
        boolean inTable = false;
        for (String line : Files.readAllLines(PAGE)) {
            if (line.startsWith(head)) {
                inTable = true;
            } else if (inTable && !line.startsWith("|")) {
                break;
            } else if (inTable && !line.startsWith("| ---")) {
                rows.add(line.substring(2, line.length() - 2).split(" \\| "));
            }
        }
        assertThat(rows).as(head).hasSizeGreaterThan(5);
        return rows;
    }
}
