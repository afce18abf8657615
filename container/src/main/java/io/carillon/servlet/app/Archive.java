package io.carillon.servlet.app;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * A {@code .war} or {@code .sar} unpacked into a work folder of its own, or an exploded folder used
 * where it lies. Closing it removes the work folder.
 */
final class Archive implements Closeable {
    private static final int BUFFER_BYTES = 64 << 10;

    private final String label;
    private final String baseName;
    private final Path root;
    private final Path work;

    private Archive(String label, String baseName, Path root, Path work) {
        this.label = label;
        this.baseName = baseName;
        this.root = root;
        this.work = work;
    }

    /** What messages call it: the file name. */
    String label() {
        return label;
    }

    /** The file name without .war or .sar. */
    String baseName() {
        return baseName;
    }

    /** Where WEB-INF lies; absolute and normalized. */
    Path root() {
        return root;
    }

    /** The application's folder for temporary files. */
    Path tempFolder() {
        return work.resolve("temp");
    }

    /**
     * @param path archive or exploded folder
     * @param workFolder gets a new folder for this archive
     * @param copy an exploded folder is copied, so that it may change while this version runs
     */
    static Archive open(Path path, Path workFolder, ArchiveLimits limits, boolean copy)
            throws DeploymentException {
        Path file = path.getFileName();
        String label = file == null ? path.toString() : file.toString();
        String lower = label.toLowerCase(Locale.ROOT);
        boolean folder = Files.isDirectory(path);
        boolean named = lower.endsWith(".war") || lower.endsWith(".sar");
        if (!Files.exists(path)) {
            throw new DeploymentException(path.toString(), "there is no such file or folder");
        }
        if (lower.endsWith(".ear")) {
            throw new DeploymentException(
                    label,
                    "an EAR is not taken: deploy the .war or .sar inside it, with the EAR's"
                            + " libraries in WEB-INF/lib");
        }
        if (!folder && !named) {
            throw new DeploymentException(
                    label,
                    "an application is a .war or .sar file, or a folder with WEB-INF inside");
        }
        String baseName = named ? label.substring(0, label.length() - 4) : label;
        try {
            OwnFolder.makeShared(workFolder);
            Path work =
                    Files.createTempDirectory(
                                    workFolder, baseName.replaceAll("[^A-Za-z0-9._-]", "_") + "-")
                            .toAbsolutePath()
                            .normalize();
            Archive archive =
                    new Archive(
                            label,
                            baseName,
                            folder && !copy
                                    ? path.toAbsolutePath().normalize()
                                    : work.resolve("app"),
                            work);
            try {
                Files.createDirectories(archive.tempFolder());
                if (folder) {
                    new ExplodedFolder(label, path.toAbsolutePath().normalize(), limits)
                            .take(copy ? archive.root : null);
                } else {
                    archive.unpack(path, limits);
                }
                if (!Files.isDirectory(archive.root.resolve("WEB-INF"))) {
                    throw new DeploymentException(label, "has no WEB-INF folder");
                }
                return archive;
            } catch (DeploymentException | IOException | RuntimeException e) {
                archive.close();
                throw e;
            }
        } catch (IOException | UncheckedIOException e) {
            throw new DeploymentException(
                    label, 0, null, "cannot be unpacked into " + workFolder + ": " + e, e);
        }
    }

    private void unpack(Path path, ArchiveLimits limits) throws DeploymentException, IOException {
        Files.createDirectories(root);
        long total = 0;
        int count = 0;
        if (!Files.isReadable(path)) {
            throw new DeploymentException(label, "cannot be read: permission denied");
        }
        try (ZipFile zip = new ZipFile(path.toFile())) {
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                if (++count > limits.maxEntries()) {
                    throw new DeploymentException(
                            label, "has more than " + limits.maxEntries() + " entries");
                }
                Path target = target(entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(target);
                } else {
                    total += write(zip, entry, target, limits, total);
                }
            }
        } catch (ZipException e) {
            throw new DeploymentException(
                    label, 0, null, "broken archive, cut off or no zip file: " + e.getMessage(), e);
        }
    }

    /**
     * The place of an entry, which must lie inside the archive's folder, whatever its name says.
     */
    private Path target(String name) throws DeploymentException {
        try {
            Path target = root.resolve(name.replace('\\', '/')).normalize();
            boolean climbs = List.of(name.replace('\\', '/').split("/")).contains("..");
            if (climbs || name.startsWith("/") || !target.startsWith(root)) {
                throw new DeploymentException(
                        label, 0, "entry " + name, "leads out of the archive");
            }
            return target;
        } catch (InvalidPathException e) {
            throw new DeploymentException(
                    label, 0, "entry " + name.replace('\0', '?'), "is no file name", e);
        }
    }

    /** Counts what really comes out: the sizes that an archive declares may lie. */
    private long write(ZipFile zip, ZipEntry entry, Path target, ArchiveLimits limits, long before)
            throws DeploymentException, IOException {
        Path parent = target.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        long written = 0;
        byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream in = zip.getInputStream(entry);
                OutputStream out =
                        Files.newOutputStream(
                                target,
                                java.nio.file.StandardOpenOption.CREATE_NEW,
                                java.nio.file.StandardOpenOption.WRITE)) {
            int n;
            while ((n = in.read(buffer)) >= 0) {
                written += n;
                if (written > limits.maxFileBytes() || before + written > limits.maxTotalBytes()) {
                    throw new DeploymentException(
                            label,
                            0,
                            "entry " + entry.getName(),
                            "is too large: at most "
                                    + limits.maxFileBytes()
                                    + " bytes a file and "
                                    + limits.maxTotalBytes()
                                    + " in all");
                }
                out.write(buffer, 0, n);
            }
        } catch (FileAlreadyExistsException e) {
            throw new DeploymentException(
                    label, 0, "entry " + entry.getName(), "stands twice in the archive", e);
        } catch (ZipException e) {
            throw new DeploymentException(
                    label, 0, "entry " + entry.getName(), "broken archive: " + e.getMessage(), e);
        }
        return written;
    }

    @Override
    public void close() throws IOException {
        OwnFolder.delete(work);
    }
}
