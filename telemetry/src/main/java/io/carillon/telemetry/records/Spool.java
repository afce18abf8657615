package io.carillon.telemetry.records;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Records on disk that wait for one place elsewhere. Written by one thread, read by another; a kill
 * loses nothing that was flushed, as a segment goes only when all of it was taken.
 */
final class Spool implements AutoCloseable {
    private static final long SEGMENT_BYTES = 4L << 20;
    private static final String END = ".jsonl";

    private final Path folder;
    private final long most;

    /** Bytes of each segment, by number. */
    private final NavigableMap<Long, Long> segments = new TreeMap<>();

    private long readSegment;
    private long readOffset;
    private long writeSegment;
    private @Nullable WholeLines out;
    private final WholeLines.Opener opener;

    /**
     * @param most bytes
     * @throws IOException when the folder cannot be used
     */
    Spool(Path folder, long most) throws IOException {
        this(folder, most, WholeLines::onDisk);
    }

    Spool(Path folder, long most, WholeLines.Opener opener) throws IOException {
        this.folder = SpoolFolder.make(folder);
        this.most = most;
        this.opener = opener;
        readWhatIsThere();
    }

    private void readWhatIsThere() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path one : files.toList()) {
                String name = Objects.requireNonNull(one.getFileName()).toString();
                if (name.matches("\\d{12}" + END)) {
                    long number = Long.parseLong(name.substring(0, 12));
                    segments.put(number, cutTornLine(one));
                }
            }
        }
        Path position = folder.resolve("position");
        if (Files.exists(position)) {
            String[] parts = Files.readString(position).strip().split(" ", -1);
            if (parts.length == 2 && parts[0].matches("\\d+") && parts[1].matches("\\d+")) {
                readSegment = Long.parseLong(parts[0]);
                readOffset = Long.parseLong(parts[1]);
            }
        }
        Long there = segments.get(readSegment);
        if (there == null) {
            // Never a number that was used: the position may be that of a segment that is gone.
            readSegment = segments.isEmpty() ? readSegment + 1 : segments.firstKey();
            readOffset = 0;
        } else if (readOffset > there || !beginsRecord(path(readSegment), readOffset)) {
            readOffset = 0;
        }
        // A new segment: what is in the others is whole.
        writeSegment = segments.isEmpty() ? readSegment : segments.lastKey() + 1;
    }

    private static boolean beginsRecord(Path segment, long offset) throws IOException {
        if (offset == 0) {
            return true;
        }
        try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "r")) {
            file.seek(offset - 1);
            return file.read() == '\n';
        }
    }

    /** A kill may have cut the last record short. */
    private static long cutTornLine(Path segment) throws IOException {
        byte[] all = Files.readAllBytes(segment);
        int end = all.length;
        while (end > 0 && all[end - 1] != '\n') {
            end--;
        }
        if (end < all.length) {
            try (FileChannel file = FileChannel.open(segment, StandardOpenOption.WRITE)) {
                file.truncate(end);
            }
        }
        return end;
    }

    private Path path(long segment) {
        return folder.resolve(String.format(Locale.ROOT, "%012d", segment) + END);
    }

    /** Bytes that wait. */
    synchronized long bytes() {
        long sum = -readOffset;
        for (long one : segments.values()) {
            sum += one;
        }
        return Math.max(0, sum);
    }

    /** False when there is no room. */
    synchronized boolean append(String json) throws IOException {
        if (bytes() + json.getBytes(StandardCharsets.UTF_8).length + 1 > most) {
            return false;
        }
        WholeLines to = out;
        if (to == null || to.bytes() >= SEGMENT_BYTES) {
            to = begin();
        }
        to.add(json);
        segments.put(writeSegment, to.bytes());
        return true;
    }

    /** A new segment; the one before is whole. */
    private WholeLines begin() throws IOException {
        WholeLines before = out;
        if (before != null) {
            before.flush(); // where the disk takes nothing the segment stays open
            out = null;
            before.close();
            writeSegment++;
        }
        Path next = path(writeSegment);
        SpoolFolder.ownersOnly(next);
        WholeLines begun = new WholeLines(opener.open(next));
        out = begun;
        return begun;
    }

    /**
     * From here on the reader, and the next start, find what was appended.
     *
     * @throws IOException when the disk does not take it: it waits, and no part of it is there
     */
    synchronized void flush() throws IOException {
        if (out != null) {
            out.flush();
        }
    }

    /** Records that wait for the disk. */
    synchronized int waiting() {
        return out == null ? 0 : out.waiting();
    }

    /** The next records; empty when there is none. They stay until {@link #taken}. */
    synchronized List<String> next(int records, int bytes) throws IOException {
        skipEmpty();
        long end =
                readSegment == writeSegment && out != null
                        ? out.written()
                        : segments.getOrDefault(readSegment, 0L);
        int length = (int) Math.min(bytes, end - readOffset);
        List<String> all = new ArrayList<>();
        if (length <= 0) {
            return all;
        }
        byte[] read = read(length);
        int from = 0;
        for (int i = 0; i < read.length && all.size() < records; i++) {
            if (read[i] == '\n') {
                all.add(new String(read, from, i - from, StandardCharsets.UTF_8));
                from = i + 1;
            }
        }
        return all;
    }

    private byte[] read(int length) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path(readSegment).toFile(), "r")) {
            file.seek(readOffset);
            byte[] read = new byte[length];
            file.readFully(read);
            return read;
        }
    }

    /** Segments of which all was taken go; that which is written to stays. */
    private void skipEmpty() throws IOException {
        while (readSegment != writeSegment
                && readOffset >= segments.getOrDefault(readSegment, 0L)) {
            segments.remove(readSegment);
            Files.deleteIfExists(path(readSegment));
            Long next = segments.ceilingKey(readSegment);
            readSegment = next == null ? writeSegment : next;
            readOffset = 0;
        }
    }

    /** Those records arrived. */
    synchronized void taken(List<String> records) throws IOException {
        for (String one : records) {
            readOffset += one.getBytes(StandardCharsets.UTF_8).length + 1L;
        }
        skipEmpty();
        Path next = folder.resolve("position.new");
        Files.writeString(next, readSegment + " " + readOffset + "\n");
        Files.move(
                next,
                folder.resolve("position"),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public synchronized void close() throws IOException {
        WholeLines before = out;
        out = null;
        if (before != null) {
            before.close();
        }
    }
}
