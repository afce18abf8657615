package io.carillon.server.audit;

import io.carillon.servlet.app.OwnFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds to the audit log. A line is on the disk before {@link #write} returns, so it outlives the
 * process however that ends. A full file is renamed and closed to writers; the oldest are deleted
 * when all together are too large. Other processes, as the command line without a server, may add
 * to the same file: a lock orders them. Any thread; blocks for the disk.
 */
public final class AuditLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    /** The file that is written to. */
    static final String CURRENT = "audit.jsonl";

    private static final int TAIL = 256 << 10;

    private final Path folder;
    private final Path file;
    private final long largestFile;
    private final long largestOfAll;
    private final Clock clock;
    private volatile Consumer<AuditEntry> listener = entry -> {};

    // Guarded by this.
    private @Nullable FileChannel lock;
    private @Nullable FileChannel channel;
    private @Nullable Object key;
    private long size;
    private String chain = "";
    private boolean torn;

    /**
     * @param folder made when something is written
     * @param largestFile bytes after which a file is full
     * @param largestOfAll bytes of all files; the oldest are deleted
     */
    public AuditLog(Path folder, long largestFile, long largestOfAll) {
        this(folder, largestFile, largestOfAll, Clock.systemUTC());
    }

    AuditLog(Path folder, long largestFile, long largestOfAll, Clock clock) {
        this.folder = folder.toAbsolutePath();
        this.file = this.folder.resolve(CURRENT);
        this.largestFile = largestFile;
        this.largestOfAll = largestOfAll;
        this.clock = clock;
    }

    /** Told of each line behind the disk; returns at once. */
    public void listener(Consumer<AuditEntry> told) {
        listener = told;
    }

    /** Where it is. */
    public Path folder() {
        return folder;
    }

    /** The time of an entry that is made now. */
    public String now() {
        return clock.instant().toString();
    }

    /**
     * Adds a line, and waits until it is on the disk.
     *
     * @throws IOException when it cannot be written: what it tells of must not be done then
     */
    public void write(AuditEntry entry) throws IOException {
        synchronized (this) {
            FileChannel order = lock();
            try (FileLock held = order.lock()) {
                if (!held.isValid()) {
                    throw new IOException("no lock");
                }
                append(entry);
            } catch (IOException e) {
                closeChannel(); // opened again by the next one
                throw new IOException(
                        "the audit log " + file + " cannot be written: " + e.getMessage(), e);
            }
        }
        listener.accept(entry);
    }

    private FileChannel lock() throws IOException {
        FileChannel present = lock;
        if (present == null) {
            OwnFolder.make(folder);
            present =
                    FileChannel.open(
                            folder.resolve("audit.lock"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
            lock = present;
        }
        return present;
    }

    private void append(AuditEntry entry) throws IOException {
        FileChannel out = current();
        String text = new AuditLine(entry, chain).text();
        byte[] bytes = ((torn ? "\n" : "") + text + "\n").getBytes(StandardCharsets.UTF_8);
        if (size > 0 && size + bytes.length > largestFile) {
            rotate();
            out = current();
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            out.write(buffer);
        }
        out.force(false);
        size += bytes.length;
        chain = AuditLine.hash(text);
        torn = false;
    }

    /** The open file; another process may have added to it, or renamed it. */
    private FileChannel current() throws IOException {
        FileChannel present = channel;
        if (present != null && isThere() && present.size() == size) {
            return present;
        }
        closeChannel();
        boolean fresh = !Files.exists(file);
        FileChannel opened =
                fresh
                        ? FileChannel.open(
                                file,
                                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND),
                                attributes())
                        : FileChannel.open(file, StandardOpenOption.APPEND);
        channel = opened;
        size = opened.size();
        key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        if (fresh) {
            syncFolder();
        }
        readEnd();
        return opened;
    }

    /** Is the file still the one that is open? */
    private boolean isThere() throws IOException {
        return Files.exists(file)
                && Objects.equals(
                        key, Files.readAttributes(file, BasicFileAttributes.class).fileKey());
    }

    private FileAttribute<?>[] attributes() throws IOException {
        return Files.getFileStore(folder).supportsFileAttributeView("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    /** A new name is on the disk when its folder is. */
    private void syncFolder() {
        try (FileChannel of = FileChannel.open(folder, StandardOpenOption.READ)) {
            of.force(true);
        } catch (IOException e) {
            LOG.debug("A system whose folders cannot be opened", e);
        }
    }

    /** The hash of the last whole line; of the newest renamed file where this one has none. */
    private void readEnd() throws IOException {
        chain = "";
        torn = false;
        List<Path> all = AuditReader.files(folder);
        for (int i = all.size() - 1; i >= 0; i--) {
            String end = tail(all.get(i));
            if (end.isEmpty()) {
                continue;
            }
            boolean last = all.get(i).equals(file);
            if (last && !end.endsWith("\n")) {
                torn = true; // the process died as it wrote: that line stays as it is
                int line = end.lastIndexOf('\n');
                end = line < 0 ? "" : end.substring(0, line + 1);
            }
            String whole = end.stripTrailing();
            if (!whole.isEmpty()) {
                chain = AuditLine.hash(whole.substring(whole.lastIndexOf('\n') + 1));
                return;
            }
        }
    }

    private static String tail(Path of) throws IOException {
        try (FileChannel in = FileChannel.open(of, StandardOpenOption.READ)) {
            long from = Math.max(0, in.size() - TAIL);
            ByteBuffer buffer = ByteBuffer.allocate((int) (in.size() - from));
            int count = 0;
            while (count >= 0 && buffer.hasRemaining()) {
                count = in.read(buffer, from + buffer.position());
            }
            return new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8);
        }
    }

    private void rotate() throws IOException {
        closeChannel();
        Path full = folder.resolve("audit-" + STAMP.format(Instant.now(clock)) + ".jsonl");
        for (int i = 1; Files.exists(full); i++) {
            full = folder.resolve("audit-" + STAMP.format(Instant.now(clock)) + "_" + i + ".jsonl");
        }
        Files.move(file, full);
        if (Files.getFileStore(folder).supportsFileAttributeView("posix")) {
            Files.setPosixFilePermissions(full, PosixFilePermissions.fromString("r--------"));
        }
        List<Path> all = AuditReader.files(folder);
        long sum = largestFile; // the one that comes
        for (Path one : all) {
            sum += Files.size(one);
        }
        for (Path oldest : all) {
            if (sum <= largestOfAll) {
                break;
            }
            sum -= Files.size(oldest);
            Files.delete(oldest);
            LOG.warn("The audit log is full: its oldest part {} was deleted", oldest);
        }
    }

    private void closeChannel() {
        FileChannel present = channel;
        channel = null;
        if (present != null) {
            try {
                present.close();
            } catch (IOException e) {
                LOG.debug("What was written is on the disk already", e);
            }
        }
    }

    @Override
    public synchronized void close() {
        closeChannel();
        FileChannel present = lock;
        lock = null;
        if (present != null) {
            try {
                present.close();
            } catch (IOException e) {
                LOG.debug("Nothing is written to it", e);
            }
        }
    }
}
