package io.carillon.telemetry.records;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of the legs that are open: written anew at each interval, and a line for each of them
 * that has its record since. What stands there at the next start was open when the server went
 * away. By one thread.
 */
final class OpenCalls implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenCalls.class);
    private static final String CLOSED = "closed ";

    private final Path file;
    private Set<String> listed = new HashSet<>();
    private @Nullable BufferedWriter out;

    OpenCalls(Path folder) {
        this.file = folder.resolve("open.jsonl");
    }

    /** What was open when the server went away. @throws IOException when it cannot be read */
    List<CallRecord> left() throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        Map<String, CallRecord> open = new LinkedHashMap<>();
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith(CLOSED)) {
                open.remove(line.substring(CLOSED.length()));
                continue;
            }
            try {
                CallRecord record = RecordText.read(line);
                open.put(record.id(), record.lost());
            } catch (IllegalArgumentException e) {
                LOG.debug("a kill cut a line of {} short", file, e);
            }
        }
        return new ArrayList<>(open.values());
    }

    /** These are open now. */
    void write(List<CallRecord> open) throws IOException {
        Path next = file.resolveSibling("open.new");
        Files.deleteIfExists(next);
        SpoolFolder.ownersOnly(next);
        Set<String> ids = new HashSet<>();
        try (BufferedWriter to =
                Files.newBufferedWriter(next, StandardCharsets.UTF_8, StandardOpenOption.APPEND)) {
            for (CallRecord one : open) {
                ids.add(one.id());
                to.write(RecordText.json(one));
                to.write('\n');
            }
        }
        close();
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        listed = ids;
        out = Files.newBufferedWriter(file, StandardCharsets.UTF_8, StandardOpenOption.APPEND);
    }

    /** That leg has its record. */
    void closed(String id) throws IOException {
        if (out != null && listed.remove(id)) {
            out.write(CLOSED + id + "\n");
        }
    }

    void flush() throws IOException {
        if (out != null) {
            out.flush();
        }
    }

    @Override
    public void close() throws IOException {
        BufferedWriter before = out;
        out = null;
        if (before != null) {
            before.close();
        }
    }
}
