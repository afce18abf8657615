package io.carillon.lab.process;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
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

/**
 * Where this checkout or unpacked distribution is and what is in it, and where a run leaves its
 * logs and counts.
 */
public final class Folders {
    /** Runs that begin within a second. */
    private static final int MOST_AT_ONCE = 100;

    private Folders() {}

    public static Path root() {
        return Path.of(System.getProperty("carillon.home", ".")).toAbsolutePath().normalize();
    }

    public static String launcher() {
        return launcher(root()).toString();
    }

    /** The launcher of a checkout or a distribution. */
    public static Path launcher(Path checkout) {
        return either(checkout, "bin/carillon", "carillon");
    }

    /** The archive of an example of a checkout or a distribution. */
    public static Path example(Path checkout, String name) {
        return either(
                checkout,
                "examples/" + name + ".war",
                "examples/" + name + "/target/" + name + ".war");
    }

    /** An example that is a program of its own. */
    public static Path program(String name) {
        return either(
                root(),
                "examples/" + name + ".jar",
                "examples/plain-objects/" + name + "/target/" + name + ".jar");
    }

    /** The JVM options that a server is shipped with. */
    public static Path jvmOptions() {
        return either(root(), "lib/options/jvm.options", "server/src/main/dist/jvm.options");
    }

    /** SIPp's scenarios. */
    public static Path scenarios() {
        return either(root(), "lib/lab/scenarios", "lab/scenarios");
    }

    private static Path either(Path root, String packed, String built) {
        Path first = root.resolve(packed);
        return Files.exists(first) ? first : root.resolve(built);
    }

    /**
     * The folder that was asked for, or a new one: in a checkout under the target folder of a
     * module, else in the working directory.
     *
     * @throws WrongSetting when the folder holds anything: two runs' counts must not be read as one
     */
    public static Path results(String asked, String module, String run) throws IOException {
        DateTimeFormatter form = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");
        String time = form.format(LocalDateTime.now(ZoneId.systemDefault()));
        if (asked.isEmpty()) {
            Path checkout = root().resolve(module);
            Path parent = Files.isDirectory(checkout) ? checkout.resolve("target") : Path.of("");
            return unused(parent.toAbsolutePath(), run + "-" + time);
        }
        Path folder = Path.of(asked).toAbsolutePath();
        Files.createDirectories(folder);
        try (Stream<Path> content = Files.list(folder)) {
            if (content.findAny().isPresent()) {
                throw new WrongSetting(folder + " is not empty; choose a new one with --out");
            }
        }
        return folder;
    }

    /** A new folder of that name; of two runs that begin in the same second each has its own. */
    private static Path unused(Path parent, String name) throws IOException {
        Files.createDirectories(parent);
        for (int i = 1; ; i++) {
            Path folder = parent.resolve(i == 1 ? name : name + "-" + i);
            try {
                return Files.createDirectory(folder);
            } catch (FileAlreadyExistsException e) {
                if (i == MOST_AT_ONCE) {
                    throw e;
                }
            }
        }
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
