package io.carillon.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/** Where this checkout is, and where a measurement leaves its logs and counts. */
final class Folders {
    private Folders() {}

    static Path root() {
        return Path.of(System.getProperty("carillon.home", ".")).toAbsolutePath().normalize();
    }

    /** The folder that was asked for, or a new one under bench/target. */
    static Path results(String asked, String measurement) throws IOException {
        DateTimeFormatter form = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");
        String time = form.format(LocalDateTime.now(ZoneId.systemDefault()));
        Path folder =
                asked.isEmpty()
                        ? root().resolve("bench/target/" + measurement + "-" + time)
                        : Path.of(asked).toAbsolutePath();
        return Files.createDirectories(folder);
    }
}
