package io.carillon.telemetry.records;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of records that is rotated by size and age, and whose rotated parts are deleted when they
 * are old or too many. By one thread.
 */
final class RecordFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RecordFile.class);
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private final Path path;
    private final @Nullable String head;
    private final RecordConfig.Files limits;
    private final LongAdder deletedForRoom;
    private @Nullable BufferedWriter out;
    private long bytes;
    private long openedAtMillis;

    /**
     * @param head the first line of each file; null for none
     */
    RecordFile(
            Path path, @Nullable String head, RecordConfig.Files limits, LongAdder deletedForRoom) {
        this.path = path.toAbsolutePath();
        this.head = head;
        this.limits = limits;
        this.deletedForRoom = deletedForRoom;
    }

    /**
     * @throws IOException when it cannot be written
     */
    void open(long nowMillis) throws IOException {
        Path folder = Objects.requireNonNull(path.getParent());
        Files.createDirectories(folder);
        if (!Files.exists(path)) {
            SpoolFolder.ownersOnly(path);
        }
        out =
                Files.newBufferedWriter(
                        path,
                        StandardCharsets.UTF_8,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
        bytes = Files.size(path);
        openedAtMillis = nowMillis;
        if (bytes == 0 && head != null) {
            line(head);
        } else if (bytes > 0 && !endsWithLine()) {
            line(""); // a kill cut the last line short
        }
    }

    private boolean endsWithLine() throws IOException {
        try (SeekableByteChannel file = Files.newByteChannel(path)) {
            file.position(bytes - 1);
            ByteBuffer last = ByteBuffer.allocate(1);
            return file.read(last) == 1 && last.get(0) == '\n';
        }
    }

    void write(String record, long nowMillis) throws IOException {
        if (out == null) {
            open(nowMillis); // a rotation before has failed
        }
        boolean full = bytes > 0 && bytes + record.length() > limits.rotateBytes();
        if (full || nowMillis - openedAtMillis >= limits.rotateAfter().toMillis()) {
            rotate(nowMillis);
        }
        line(record);
    }

    private void line(String text) throws IOException {
        BufferedWriter to = Objects.requireNonNull(out);
        to.write(text);
        to.write('\n');
        bytes += text.length() + 1L;
    }

    /** What was written is the kernel's: a kill of this process loses none of it. */
    void flush() throws IOException {
        if (out != null) {
            out.flush();
        }
    }

    /** Somebody moved the file away, as logrotate does: the next record goes to a new one. */
    void openAgainIfGone(long nowMillis) throws IOException {
        if (out != null && !Files.exists(path)) {
            close();
            open(nowMillis);
        }
    }

    private void rotate(long nowMillis) throws IOException {
        close();
        String name = Objects.requireNonNull(path.getFileName()).toString();
        String stamp = STAMP.format(Instant.ofEpochMilli(nowMillis));
        int dot = name.lastIndexOf('.');
        String stem = dot <= 0 ? name : name.substring(0, dot);
        String end = dot <= 0 ? "" : name.substring(dot);
        Path to = path.resolveSibling(stem + "-" + stamp + end);
        for (int i = 1; Files.exists(to); i++) {
            to = path.resolveSibling(stem + "-" + stamp + "-" + i + end);
        }
        if (Files.exists(path)) {
            Files.move(path, to);
        }
        open(nowMillis);
        try {
            deleteOld(stem, end, nowMillis);
        } catch (IOException e) { // the next record does not depend on it, nor the next rotation
            LOG.warn("Old call records beside {} stay for now: {}", path, e.toString());
        }
    }

    private record Rotated(Path path, long bytes, long atMillis) {}

    private void deleteOld(String stem, String end, long nowMillis) throws IOException {
        List<Rotated> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(Objects.requireNonNull(path.getParent()))) {
            for (Path one : files.toList()) {
                String name = Objects.requireNonNull(one.getFileName()).toString();
                // Somebody else may take them away meanwhile, as who ships or packs them.
                if (name.startsWith(stem + "-2") && name.endsWith(end) && Files.exists(one)) {
                    rotated(one, all);
                }
            }
        }
        all.sort((one, other) -> Long.compare(other.atMillis(), one.atMillis()));
        long kept = 0;
        for (Rotated one : all) {
            kept += one.bytes();
            boolean old = nowMillis - one.atMillis() > limits.keep().toMillis();
            boolean over = kept > limits.keepBytes();
            if (old || over) {
                Files.deleteIfExists(one.path());
                if (!old) {
                    deletedForRoom.increment();
                    LOG.warn(
                            "Deleted the call records in {}: rotated files have more than"
                                    + " cdr.keep-size, {}",
                            one.path(),
                            limits.keepBytes());
                }
            }
        }
    }

    private static void rotated(Path one, List<Rotated> all) throws IOException {
        try {
            all.add(new Rotated(one, Files.size(one), Files.getLastModifiedTime(one).toMillis()));
        } catch (NoSuchFileException e) {
            LOG.debug("{} was taken away", one, e);
        }
    }

    @Override
    public void close() throws IOException {
        BufferedWriter open = out;
        out = null;
        if (open != null) {
            open.close();
        }
    }
}
