package io.carillon.lab.process;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where this checkout is, and where a measurement leaves its logs and counts. */
public final class Folders {
    private Folders() {}

    public static Path root() {
        return Path.of(System.getProperty("carillon.home", ".")).toAbsolutePath().normalize();
    }

    /**
     * The folder that was asked for, or a new one under the target folder of a module.
     *
     * @throws IOException when the folder holds anything: two runs' counts must not be read as one
     */
    public static Path results(String asked, String module, String measurement) throws IOException {
        DateTimeFormatter form = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");
        String time = form.format(LocalDateTime.now(ZoneId.systemDefault()));
        Path folder =
                asked.isEmpty()
                        ? root().resolve(module + "/target/" + measurement + "-" + time)
                        : Path.of(asked).toAbsolutePath();
        Files.createDirectories(folder);
        try (Stream<Path> content = Files.list(folder)) {
            if (content.findAny().isPresent()) {
                throw new IOException(folder + " is not empty; choose a new one with --out");
            }
        }
        return folder;
    }

    /**
     * Deletes it and what is in it; links are not followed. Nothing happens where it is not there.
     */
    public static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        Files.walkFileTree(
                folder,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path visited, @Nullable IOException failure) throws IOException {
                        if (failure != null) {
                            throw failure;
                        }
                        Files.delete(visited);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
