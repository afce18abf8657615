package io.carillon.it.telemetry;

import io.carillon.lab.process.Json;
import io.carillon.lab.process.Pause;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The call records that a server has written, with those of its rotated files.
 *
 * @param folder of the files
 */
record RecordFolder(Path folder) {
    private static final String FILE = "calls";

    /** The file that the server is to write to. */
    Path file() {
        return folder.resolve(FILE + ".jsonl");
    }

    /** All, in the order of the files. */
    void each(Consumer<JsonNode> record) throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.list(folder)) {
            files =
                    found.filter(file -> file.getFileName().toString().endsWith(".jsonl"))
                            .sorted()
                            .toList();
        }
        for (Path file : files) {
            try (BufferedReader lines = Files.newBufferedReader(file)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (!line.isBlank()) {
                        record.accept(Json.LINES.readTree(line));
                    }
                }
            }
        }
    }

    /** Those of a kind: final, open, lost. */
    List<JsonNode> of(String kind) throws IOException {
        List<JsonNode> all = new ArrayList<>();
        each(record -> {
            if (record.path("record").asString().equals(kind)) {
                all.add(record);
            }
        });
        return all;
    }

    /** How many there are of a kind: hundreds of thousands have no room as objects. */
    int count(String kind) throws IOException {
        int[] count = new int[1];
        each(record -> {
            if (record.path("record").asString().equals(kind)) {
                count[0]++;
            }
        });
        return count[0];
    }

    /** How many final records there are, once there are at least {@code least} of them. */
    int awaitFinals(int least, long seconds) throws IOException {
        long deadline = System.nanoTime() + seconds * 1_000_000_000L;
        while (true) {
            int all = count("final");
            if (all >= least || System.nanoTime() - deadline > 0) {
                return all;
            }
            Pause.millis(2_000);
        }
    }

    /** Final records beyond the first so many, once there are at least {@code least} of them. */
    List<JsonNode> after(int first, int least, long seconds) throws IOException {
        long deadline = System.nanoTime() + seconds * 1_000_000_000L;
        while (true) {
            List<JsonNode> all = of("final");
            if (all.size() - first >= least || System.nanoTime() - deadline > 0) {
                return all.subList(Math.min(first, all.size()), all.size());
            }
            Pause.millis(500);
        }
    }
}
