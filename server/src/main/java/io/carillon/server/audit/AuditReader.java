package io.carillon.server.audit;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the audit log; it may be written to meanwhile. Any thread. */
public final class AuditReader {
    private AuditReader() {}

    /**
     * Which lines are wanted; empty text lets all through.
     *
     * @param who the account or user
     * @param what begin of the operation
     * @param stage begun, done, failed or refused
     * @param since ISO 8601; lines of that time and later
     * @param most the last so many
     */
    public record Filter(String who, String what, String stage, String since, int most) {
        boolean passes(AuditEntry one) {
            return (who.isEmpty() || who.equals(one.who()))
                    && one.what().startsWith(what)
                    && (stage.isEmpty() || stage.equals(one.stage()))
                    && (since.isEmpty() || one.time().compareTo(since) >= 0);
        }
    }

    /**
     * Whether the log is as it was written.
     *
     * @param lines that were read
     * @param torn lines that were cut off as a process died
     * @param fault where it was changed: file, line, and why; null: nowhere
     */
    public record Verdict(long lines, long torn, @Nullable String fault) {}

    /** Its files, the oldest first. */
    static List<Path> files(Path folder) throws IOException {
        List<Path> all = new ArrayList<>();
        if (!Files.isDirectory(folder)) {
            return all;
        }
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "audit-*.jsonl")) {
            found.forEach(all::add);
        }
        all.sort(null);
        Path current = folder.resolve(AuditLog.CURRENT);
        if (Files.exists(current)) {
            all.add(current);
        }
        return all;
    }

    /** The last lines that the filter lets through, the oldest first. */
    public static List<AuditEntry> read(Path folder, Filter filter) throws IOException {
        Deque<AuditEntry> last = new ArrayDeque<>();
        List<Path> files = files(folder);
        for (int i = files.size() - 1; i >= 0 && last.size() < filter.most(); i--) {
            int room = filter.most() - last.size();
            Deque<AuditEntry> here = new ArrayDeque<>();
            try (BufferedReader in = Files.newBufferedReader(files.get(i))) {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    AuditLine read = AuditLine.read(line);
                    if (read != null && filter.passes(read.entry())) {
                        here.add(read.entry());
                        if (here.size() > room) {
                            here.removeFirst();
                        }
                    }
                }
            }
            while (!here.isEmpty()) {
                last.addFirst(here.removeLast());
            }
        }
        return List.copyOf(last);
    }

    /** Goes through all lines and looks whether each names the one before it. */
    public static Verdict verify(Path folder) throws IOException {
        long lines = 0;
        long torn = 0;
        String before = null;
        for (Path file : files(folder)) {
            int number = 0;
            try (BufferedReader in = Files.newBufferedReader(file)) {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    number++;
                    AuditLine read = AuditLine.read(line);
                    if (read == null) {
                        torn++;
                        continue;
                    }
                    lines++;
                    if (before != null && !read.chain().equals(before)) {
                        return new Verdict(
                                lines,
                                torn,
                                file
                                        + ":"
                                        + number
                                        + ": the line before it is not the one that was written");
                    }
                    before = AuditLine.hash(line);
                }
            }
        }
        return new Verdict(lines, torn, null);
    }
}
