package io.carillon.telemetry.records;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lines behind what a file has: each is in the file whole, or waits in memory. A disk that is full
 * for a moment tears none and loses none; one that is full for longer refuses lines, as what waits
 * is bounded. By one thread at a time.
 */
final class WholeLines implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(WholeLines.class);

    /** Bytes in memory that the disk has not taken. */
    private static final int MOST_WAITING = 1 << 20;

    /** A file that is open to be written at its end; a test's one is on a disk that is full. */
    interface Disk extends Closeable {
        /** All of it; or an error, and a part of it may be there. */
        void append(ByteBuffer bytes) throws IOException;

        long size() throws IOException;

        void truncate(long size) throws IOException;
    }

    /** Opens a file that is there. */
    interface Opener {
        Disk open(Path file) throws IOException;
    }

    private record OfChannel(FileChannel channel) implements Disk {
        @Override
        public void append(ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public void truncate(long size) throws IOException {
            channel.truncate(size);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /** Bytes that go to the disk as they lie here. */
    private static final class Waiting extends ByteArrayOutputStream {
        ByteBuffer view() {
            return ByteBuffer.wrap(buf, 0, count);
        }
    }

    private Disk disk;
    private boolean letGo;
    private final Waiting waiting = new Waiting();
    private int lines;

    /** Did the disk take nothing the last time? Then only {@link #flush} tries it. */
    private boolean stuck;

    /** To which size a torn line has to be cut off; -1 for none. */
    private long tornAt = -1;

    /** Bytes of the file, as of the last time it was written. */
    private long written;

    WholeLines(Disk disk) throws IOException {
        this.disk = disk;
        this.written = disk.size();
    }

    /** Of a file that is there; it may be moved or cut by others meanwhile. */
    static Disk onDisk(Path file) throws IOException {
        return new OfChannel(
                FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND));
    }

    /**
     * It waits for the next {@link #flush}.
     *
     * @throws IOException when so much waits already that the disk would have to take it: this line
     *     is refused
     */
    void add(String line) throws IOException {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        if (waiting.size() > 0 && waiting.size() + bytes.length > MOST_WAITING) {
            if (stuck) {
                throw new IOException("the disk takes nothing, and " + lines + " records wait");
            }
            flush();
        }
        waiting.writeBytes(bytes);
        lines++;
    }

    /**
     * What waits is the kernel's from now on: a kill of this process loses none of it.
     *
     * @throws IOException when the disk does not take it: it waits on, and no part of it is there
     */
    void flush() throws IOException {
        if (lines == 0) {
            return;
        }
        stuck = true;
        cutTorn();
        long before = disk.size();
        try {
            disk.append(waiting.view());
        } catch (IOException e) {
            tornAt = before;
            try {
                cutTorn();
            } catch (IOException alsoFailed) {
                e.addSuppressed(alsoFailed); // it is cut before the next line
            }
            throw e;
        }
        stuck = false;
        written = before + waiting.size();
        waiting.reset();
        lines = 0;
    }

    private void cutTorn() throws IOException {
        // Somebody else may have cut the file since.
        if (tornAt >= 0 && disk.size() > tornAt) {
            disk.truncate(tornAt);
        }
        tornAt = -1;
    }

    /**
     * Its file was {@linkplain #letGo let go}: what waits goes to another one.
     *
     * @param first a line that goes before what waits; null for none
     */
    void onto(Disk other, @Nullable String first) throws IOException {
        byte[] rest = waiting.toByteArray();
        int before = lines;
        disk = other;
        letGo = false;
        written = other.size();
        tornAt = -1;
        stuck = false;
        waiting.reset();
        lines = 0;
        if (first != null) {
            add(first);
        }
        waiting.writeBytes(rest);
        lines += before;
    }

    /** Gives the file back as it is: one that is gone has its room until then. What waits stays. */
    void letGo() {
        letGo = true;
        try {
            disk.close();
        } catch (IOException e) {
            LOG.debug("A file that is gone was not closed well", e);
        }
    }

    /** Has it no file now, as none could be opened behind the one that was let go? */
    boolean isLetGo() {
        return letGo;
    }

    /** Does the disk take nothing? */
    boolean stuck() {
        return stuck;
    }

    /** Bytes of the file that were there when it was written last. */
    long written() {
        return written;
    }

    /** Bytes of the file with what waits. */
    long bytes() {
        return written + waiting.size();
    }

    /** How many wait. */
    int waiting() {
        return lines;
    }

    /**
     * The file is closed in any case.
     *
     * @throws IOException when the disk does not take what waits: it is lost
     */
    @Override
    public void close() throws IOException {
        try (Disk _ = disk) {
            flush();
        }
    }
}
