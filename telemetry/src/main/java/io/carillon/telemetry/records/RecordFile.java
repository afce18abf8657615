package io.carillon.telemetry.records;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
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
    private final WholeLines.Opener opener;
    private @Nullable WholeLines out;
    private long openedAtMillis;

    /**
     * @param head the first line of each file; null for none
     */
    RecordFile(
            Path path, @Nullable String head, RecordConfig.Files limits, LongAdder deletedForRoom) {
        this(path, head, limits, deletedForRoom, WholeLines::onDisk);
    }

    RecordFile(
            Path path,
            @Nullable String head,
            RecordConfig.Files limits,
            LongAdder deletedForRoom,
            WholeLines.Opener opener) {
        this.opener = opener;
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
        WholeLines to = new WholeLines(opener.open(path));
        out = to;
        openedAtMillis = nowMillis;
        if (to.bytes() == 0 && head != null) {
            to.add(head);
        } else if (to.bytes() > 0 && !endsWithLine()) {
            to.add(""); // a kill cut the last line short
        }
    }

    private boolean endsWithLine() throws IOException {
        try (SeekableByteChannel file = Files.newByteChannel(path)) {
            file.position(file.size() - 1);
            ByteBuffer last = ByteBuffer.allocate(1);
            return file.read(last) == 1 && last.get(0) == '\n';
        }
    }

    /**
     * It waits for the next {@link #flush}.
     *
     * @throws IOException when it is refused: the disk takes nothing, and too many wait
     */
    void write(String record, long nowMillis) throws IOException {
        if (out == null) {
            open(nowMillis); // a rotation before has failed
        }
        long bytes = Objects.requireNonNull(out).bytes();
        boolean full = bytes > 0 && bytes + record.length() > limits.rotateBytes();
        boolean old = nowMillis - openedAtMillis >= limits.rotateAfter().toMillis();
        if ((full || old) && flushes()) {
            rotate(nowMillis);
        }
        Objects.requireNonNull(out).add(record);
    }

    /** False where the disk takes nothing: the file stays as it is, and who flushes is told. */
    boolean flushes() {
        if (Objects.requireNonNull(out).stuck()) {
            return false;
        }
        try {
            flush();
            return true;
        } catch (IOException e) {
            LOG.debug("{} is rotated later", path, e);
            return false;
        }
    }

    /** As {@link WholeLines#flush}. */
    void flush() throws IOException {
        if (out != null) {
            out.flush();
        }
    }

    /** Records that wait for the disk. */
    int waiting() {
        return out == null ? 0 : out.waiting();
    }

    /**
     * Somebody moved the file away, as logrotate does, or deleted it to make room: what waits, and
     * the next record, go to a new one.
     */
    void openAgainIfGone(long nowMillis) throws IOException {
        WholeLines old = out;
        if (old == null || (Files.exists(path) && !old.isLetGo())) {
            return;
        }
        // First, as a deleted file has its room on the disk until then.
        old.letGo();
        SpoolFolder.ownersOnly(path);
        // Of a file that was never written to the head waits itself.
        old.onto(opener.open(path), old.written() == 0 ? null : head);
        openedAtMillis = nowMillis;
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
        WholeLines open = out;
        out = null;
        if (open != null) {
            open.close();
        }
    }
}
