package io.carillon.telemetry.records;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
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
 * away, or had a record that no file had yet. By one thread.
 */
final class OpenCalls implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenCalls.class);
    private static final String CLOSED = "closed ";

    /** As many as wait for a disk, about; older ones are lost and counted by then. */
    private static final int MOST_ENDED = 8_192;

    private final Path file;
    private Set<String> listed = new HashSet<>();

    /** Those that have ended, and whose records may wait for the disk. */
    private final Map<String, CallRecord> ended =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, CallRecord> eldest) {
                    return size() > MOST_ENDED;
                }
            };

    private @Nullable WholeLines out;

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

    /** These are open now; with them stand those that {@link #ended} and are not {@link #kept}. */
    void write(List<CallRecord> open) throws IOException {
        Path next = file.resolveSibling("open.new");
        Files.deleteIfExists(next);
        SpoolFolder.ownersOnly(next);
        Set<String> ids = new HashSet<>();
        try (WholeLines to = new WholeLines(WholeLines.onDisk(next))) {
            for (Collection<CallRecord> some : List.of(ended.values(), open)) {
                for (CallRecord one : some) {
                    ids.add(one.id());
                    to.add(RecordText.json(one));
                }
            }
        }
        try {
            close();
        } catch (IOException e) { // what it has not taken stands in the new one
            LOG.debug("The list before {} was not written to its end", next, e);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        listed = ids;
        out = new WholeLines(WholeLines.onDisk(file));
    }

    /** That leg has its record, which may wait for the disk. */
    void ended(CallRecord record) {
        ended.put(record.id(), record);
    }

    /** Files have all records that were written until now. */
    void kept() {
        for (String id : ended.keySet()) {
            if (out != null && listed.remove(id)) {
                closed(out, id);
            }
        }
        ended.clear();
    }

    /**
     * Where the disk does not take that for long, the next list leaves the leg out; a kill before
     * makes one more record of it.
     */
    private void closed(WholeLines to, String id) {
        try {
            to.add(CLOSED + id);
        } catch (IOException e) {
            LOG.debug("{} takes no line", file, e); // who flushes is told
        }
    }

    void flush() throws IOException {
        if (out != null) {
            out.flush();
        }
    }

    @Override
    public void close() throws IOException {
        WholeLines before = out;
        out = null;
        if (before != null) {
            before.close();
        }
    }
}
