package io.carillon.server.support;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The file that a user sends: its parts one after the other, and what is missing and why. Open to
 * its owner alone. One thread.
 */
public final class SupportBundle implements AutoCloseable {
    private static final String CONTENTS = "CONTENTS.txt";

    /** A part is cut where it is longer. */
    private static final int MOST_BYTES = 48 << 20;

    private final ZipOutputStream zip;
    private final String folder;
    private final List<String> contents = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();

    private SupportBundle(ZipOutputStream zip, String folder) {
        this.zip = zip;
        this.folder = folder;
    }

    /**
     * Makes the file.
     *
     * @throws IOException when it is there already, or cannot be made
     */
    public static SupportBundle create(Path file) throws IOException {
        try {
            OutputStream out =
                    Channels.newOutputStream(
                            Files.newByteChannel(
                                    file,
                                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                                    PosixFilePermissions.asFileAttribute(
                                            PosixFilePermissions.fromString("rw-------"))));
            String name = String.valueOf(file.getFileName()).replaceFirst("\\.zip$", "");
            return new SupportBundle(new ZipOutputStream(out), name);
        } catch (FileAlreadyExistsException e) {
            throw new IOException(file + " is there already", e);
        }
    }

    /** What makes a part. */
    public interface Text extends Callable<String> {}

    /** A part that this server or machine does not have; nothing is missing for that. */
    public static final class NotHere extends Exception {
        private static final long serialVersionUID = 1L;

        public NotHere(String why) {
            super(why);
        }
    }

    /** A part as text; what it throws is said in the contents. */
    public void add(String name, String what, Text text) throws IOException {
        byte[] bytes;
        try {
            bytes = text.call().getBytes(StandardCharsets.UTF_8);
        } catch (Exception e) {
            missing(name, what, e);
            return;
        }
        write(name, what, bytes);
    }

    /** A part as bytes. */
    public void addBytes(String name, String what, Callable<byte[]> maker) throws IOException {
        byte[] bytes;
        try {
            bytes = maker.call();
        } catch (Exception e) {
            missing(name, what, e);
            return;
        }
        write(name, what, bytes);
    }

    private void write(String name, String what, byte[] bytes) throws IOException {
        int length = Math.min(bytes.length, MOST_BYTES);
        zip.putNextEntry(new ZipEntry(folder + "/" + name));
        zip.write(bytes, 0, length);
        zip.closeEntry();
        contents.add(
                "%-28s %s%s"
                        .formatted(
                                name,
                                what,
                                length < bytes.length
                                        ? " (cut after "
                                                + length
                                                + " of "
                                                + bytes.length
                                                + " bytes)"
                                        : ""));
    }

    private void missing(String name, String what, Exception e) {
        String why = e.getMessage() == null ? e.toString() : e.getMessage();
        if (e instanceof NotHere) {
            contents.add("%-28s none: %s".formatted(name, why));
            return;
        }
        missing.add(name + " (" + why + ")");
        contents.add("%-28s MISSING: %s: %s".formatted(name, what, why));
    }

    /** What is missing, with its names and reasons, in one line. */
    public String missing() {
        return missing.isEmpty() ? "nothing is missing" : "missing: " + String.join(", ", missing);
    }

    /** One line for each part. */
    public List<String> contents() {
        return List.copyOf(contents);
    }

    /** Writes the contents; the file is whole then. */
    @Override
    public void close() throws IOException {
        zip.putNextEntry(new ZipEntry(folder + "/" + CONTENTS));
        zip.write((String.join("\n", contents) + "\n").getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
        zip.close();
    }
}
