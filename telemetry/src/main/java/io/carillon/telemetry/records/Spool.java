package io.carillon.telemetry.records;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
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

    /** Bytes in memory that the disk has not taken. */
    private static final int MOST_WAITING = 1 << 20;

    private final Path folder;
    private final long most;

    /** Bytes of each segment, by number. */
    private final NavigableMap<Long, Long> segments = new TreeMap<>();

    private long readSegment;
    private long readOffset;
    private long writeSegment;
    private @Nullable FileChannel out;

    /** What is not in its file yet. */
    private final ByteArrayOutputStream waiting = new ByteArrayOutputStream();

    /** Bytes of the segment that are in its file. */
    private long flushed;

    private final Opener opener;

    /** Opens a segment; a test's one has a disk that is full. */
    interface Opener {
        FileChannel open(Path segment) throws IOException;
    }

    /**
     * @param most bytes
     * @throws IOException when the folder cannot be used
     */
    Spool(Path folder, long most) throws IOException {
        this(folder, most, segment -> FileChannel.open(segment, StandardOpenOption.WRITE));
    }

    Spool(Path folder, long most, Opener opener) throws IOException {
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
        byte[] line = (json + "\n").getBytes(StandardCharsets.UTF_8);
        if (bytes() + line.length > most) {
            return false;
        }
        if (waiting.size() > 0 && waiting.size() + line.length > MOST_WAITING) {
            flush(); // where the disk takes nothing, this record is not taken either
        }
        long size = segments.getOrDefault(writeSegment, 0L);
        if (out == null || size >= SEGMENT_BYTES) {
            size = begin();
        }
        waiting.writeBytes(line);
        segments.put(writeSegment, size + line.length);
        return true;
    }

    /** A new segment; the one before is whole. */
    private long begin() throws IOException {
        FileChannel before = out;
        if (before != null) {
            flush(); // where the disk takes nothing the segment stays open
            out = null;
            before.close();
            writeSegment++;
        }
        Path next = path(writeSegment);
        SpoolFolder.ownersOnly(next);
        out = opener.open(next);
        flushed = 0;
        return 0;
    }

    /**
     * From here on the reader, and the next start, find what was appended.
     *
     * @throws IOException when the disk does not take it: it waits, and no part of it is there
     */
    synchronized void flush() throws IOException {
        FileChannel to = out;
        if (to == null || waiting.size() == 0) {
            return;
        }
        ByteBuffer rest = ByteBuffer.wrap(waiting.toByteArray());
        long at = flushed;
        try {
            while (rest.hasRemaining()) {
                at += to.write(rest, at);
            }
        } catch (IOException e) {
            try {
                to.truncate(flushed);
            } catch (IOException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
        flushed = at;
        waiting.reset();
    }

    /** The next records; empty when there is none. They stay until {@link #taken}. */
    synchronized List<String> next(int records, int bytes) throws IOException {
        skipEmpty();
        long end =
                readSegment == writeSegment && out != null
                        ? flushed
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
        try (FileChannel _ = out) {
            flush();
        } finally {
            out = null;
        }
    }
}
