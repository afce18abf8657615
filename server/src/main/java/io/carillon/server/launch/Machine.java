package io.carillon.server.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the JVM's options depend on.
 *
 * @param root of the file system, {@code /} but in tests
 */
record Machine(Path root) {
    private static final long KIB = 1024;

    /**
     * Bytes of memory that this machine, or the container around us, has; 0 where that cannot be
     * told.
     */
    long memory() {
        long total = 0;
        for (String line : read("proc/meminfo").split("\n")) {
            if (line.startsWith("MemTotal:")) {
                total = number(line.replaceAll("\\D", "")) * KIB;
            }
        }
        long limit = number(read("sys/fs/cgroup/memory.max").strip());
        return limit > 0 && (total == 0 || limit < total) ? limit : total;
    }

    /** Has the kernel huge pages for those who ask? */
    boolean hasHugePages() {
        String choice = read("sys/kernel/mm/transparent_hugepage/enabled");
        return choice.contains("[madvise]") || choice.contains("[always]");
    }

    /** A machine without the file does not tell. */
    private String read(String file) {
        Path path = root.resolve(file);
        try {
            return Files.isReadable(path) ? Files.readString(path) : "";
        } catch (IOException e) {
            return "";
        }
    }

    /** Also {@code max}, which is no number. */
    private static long number(String text) {
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    }
}
