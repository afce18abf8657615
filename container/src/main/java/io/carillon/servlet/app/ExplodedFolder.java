package io.carillon.servlet.app;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * An unpacked application: what is in it is looked at, and copied where it shall be; a link that
 * leads out of it is refused. One use, one thread.
 */
final class ExplodedFolder {
    private final String label;
    private final Path source;
    private final ArchiveLimits limits;
    private int files;
    private long bytes;

    ExplodedFolder(String label, Path source, ArchiveLimits limits) {
        this.label = label;
        this.source = source;
        this.limits = limits;
    }

    /**
     * @param target gets a copy; null: the folder is only looked at
     */
    void take(@Nullable Path target) throws DeploymentException, IOException {
        if (!Files.isDirectory(source.resolve("WEB-INF"))) {
            throw new DeploymentException(label, "has no WEB-INF folder");
        }
        DeploymentException[] fault = new DeploymentException[1];
        Path real = source.toRealPath();
        Files.walkFileTree(
                real,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path folder, BasicFileAttributes attributes) throws IOException {
                        if (target != null) {
                            Files.createDirectories(at(target, folder));
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        fault[0] = fault(real, file, attributes);
                        if (fault[0] != null) {
                            return FileVisitResult.TERMINATE;
                        }
                        if (target != null) {
                            Files.copy(file, at(target, file));
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    private Path at(Path copy, Path path) {
                        return copy.resolve(real.relativize(path).toString());
                    }
                });
        if (fault[0] != null) {
            throw fault[0];
        }
    }

    private @Nullable DeploymentException fault(
            Path root, Path file, BasicFileAttributes attributes) throws IOException {
        String element = "file " + root.relativize(file);
        if (attributes.isSymbolicLink()) {
            if (!Files.exists(file)) {
                return new DeploymentException(label, 0, element, "is a link to nothing");
            }
            if (!file.toRealPath().startsWith(root)) {
                return new DeploymentException(
                        label, 0, element, "is a link that leads out of the application");
            }
            if (Files.isDirectory(file)) {
                return new DeploymentException(label, 0, element, "is a link to a folder");
            }
        } else if (!attributes.isRegularFile()) {
            return new DeploymentException(label, 0, element, "is no regular file");
        }
        bytes += attributes.size();
        if (++files > limits.maxEntries()
                || attributes.size() > limits.maxFileBytes()
                || bytes > limits.maxTotalBytes()) {
            return new DeploymentException(
                    label,
                    0,
                    element,
                    "is too much: at most "
                            + limits.maxEntries()
                            + " files, "
                            + limits.maxFileBytes()
                            + " bytes a file and "
                            + limits.maxTotalBytes()
                            + " in all");
        }
        return null;
    }
}
