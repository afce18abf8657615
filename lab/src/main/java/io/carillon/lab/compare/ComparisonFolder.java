package io.carillon.lab.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A comparison's folder: {@code plan.json}, {@code rows.jsonl} with a line for each window, written
 * as it is measured, and {@code table.md}.
 */
final class ComparisonFolder {
    /** What another build stored may lack something: it is refused. */
    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                    .build();

    private final Path folder;
    private final List<StoredWindow> rows = new ArrayList<>();

    private ComparisonFolder(Path folder) {
        this.folder = folder;
    }

    static ComparisonFolder begin(Path folder, ComparisonPlan plan) throws IOException {
        ComparisonFolder results = new ComparisonFolder(folder);
        Files.writeString(
                folder.resolve("plan.json"),
                JSON.writerWithDefaultPrettyPrinter().writeValueAsString(plan) + "\n");
        return results;
    }

    /** The folder of a comparison that was stopped. */
    static ComparisonFolder resume(Path folder) throws IOException {
        ComparisonFolder results = new ComparisonFolder(folder);
        Path file = folder.resolve("rows.jsonl");
        if (Files.exists(file)) {
            List<String> lines = Files.readAllLines(file);
            for (int i = 0; i < lines.size(); i++) {
                try {
                    results.rows.add(JSON.readValue(lines.get(i), StoredWindow.class));
                } catch (JacksonException e) {
                    boolean cutOff = i == lines.size() - 1;
                    if (!cutOff) {
                        throw new IOException(file + ", line " + (i + 1) + " is no row", e);
                    }
                    // The stop came while the last line was written: that window is measured again.
                    Files.write(file, lines.subList(0, i));
                }
            }
        }
        return results;
    }

    static ComparisonPlan plan(Path folder) throws IOException {
        Path file = folder.resolve("plan.json");
        if (!Files.exists(file)) {
            throw new IOException(folder + " is no folder of a comparison: it has no plan.json");
        }
        try {
            return JSON.readValue(Files.readString(file), ComparisonPlan.class);
        } catch (JacksonException e) {
            throw new IOException(
                    file + " is no plan of a comparison: " + e.getOriginalMessage(), e);
        }
    }

    Path folder() {
        return folder;
    }

    List<StoredWindow> rows() {
        return List.copyOf(rows);
    }

    void add(StoredWindow row) throws IOException {
        Files.writeString(
                folder.resolve("rows.jsonl"),
                JSON.writeValueAsString(row) + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        rows.add(row);
    }

    /**
     * The counted window of a pair, if it was measured: the last, as a broken pair is begun anew.
     */
    Optional<StoredWindow> window(String first, String other, int rate, int pair, String server) {
        return rows.reversed().stream()
                .filter(row -> row.counted() && row.of(first, other, rate) && row.pair() == pair)
                .filter(row -> row.window().server().equals(server))
                .findFirst();
    }

    /** Whether both windows of a pair stand there: half of one tells of another hour. */
    boolean hasPair(String first, String other, int rate, int pair) {
        return window(first, other, rate, pair, first).isPresent()
                && window(first, other, rate, pair, other).isPresent();
    }

    /** Where the next attempt at a window leaves its logs. */
    Path place(String other, int rate, int pair, String server) {
        for (int attempt = 1; ; attempt++) {
            Path place =
                    folder.resolve(rate + "-" + other + "-" + pair + "-" + server + "-" + attempt);
            if (!Files.exists(place)) {
                return place;
            }
        }
    }
}
