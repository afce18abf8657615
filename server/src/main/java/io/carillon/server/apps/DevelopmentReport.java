package io.carillon.server.apps;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/**
 * What {@code carillon watch} tells its server of the last version that it made, for the console.
 * Immutable.
 *
 * @param folder that is watched; empty: none is
 * @param at when, ISO 8601
 * @param deployed does that version serve? Else the one before it does, if there was one
 * @param said in a sentence
 * @param problems of the compiler, with file and line; the first ones
 * @param more problems that are left out
 */
public record DevelopmentReport(
        String folder, String at, boolean deployed, String said, List<String> problems, int more) {
    /** Nothing is watched. */
    public static final DevelopmentReport NONE =
            new DevelopmentReport("", "", false, "", List.of(), 0);

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int LONGEST_TEXT = 1_000;
    private static final int MOST_PROBLEMS = 100;

    /** As the control socket takes it, the name of its command included. */
    private static final int LONGEST_LINE = 15 << 10;

    public DevelopmentReport {
        problems = List.copyOf(problems);
    }

    /** One whose texts are cut to what it holds. */
    public static DevelopmentReport of(
            String folder, String at, boolean deployed, String said, List<String> problems) {
        return new DevelopmentReport(
                cut(folder),
                at,
                deployed,
                cut(said),
                problems.stream().limit(MOST_PROBLEMS).map(DevelopmentReport::cut).toList(),
                Math.max(0, problems.size() - MOST_PROBLEMS));
    }

    private static String cut(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
    }

    /**
     * Reads one.
     *
     * @throws tools.jackson.core.JacksonException when it is none
     */
    public static DevelopmentReport read(String line) {
        return JSON.readValue(line, DevelopmentReport.class);
    }

    /** As JSON in one line, with as many problems as it has room for. */
    public String line() {
        List<String> first = new ArrayList<>(problems);
        while (true) {
            String line =
                    JSON.writeValueAsString(
                            new DevelopmentReport(
                                    folder,
                                    at,
                                    deployed,
                                    said,
                                    first,
                                    more + problems.size() - first.size()));
            if (first.isEmpty() || line.getBytes(StandardCharsets.UTF_8).length <= LONGEST_LINE) {
                return line;
            }
            first.subList(first.size() / 2, first.size()).clear();
        }
    }
}
