package io.carillon.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Resident memory of a process tree by the kernel's account (proc(5), smaps_rollup): a page that
 * several processes share is divided among them, so that their sum counts it once.
 */
public final class ResidentMemory {
    private ResidentMemory() {}

    public static long bytes(ProcessHandle root) throws IOException {
        long kilobytes = 0;
        try (Stream<ProcessHandle> tree = Stream.concat(Stream.of(root), root.descendants())) {
            for (ProcessHandle process : tree.toList()) {
                kilobytes += kilobytes(Path.of("/proc", Long.toString(process.pid())));
            }
        }
        return kilobytes * 1024;
    }

    /** Resident memory of one process, what it shares included, bytes; 0 when it has ended. */
    public static long resident(long pid) throws IOException {
        Path status = Path.of("/proc", Long.toString(pid), "status");
        return Files.exists(status) ? value(Files.readString(status), "VmRSS:") * 1024 : 0;
    }

    private static long kilobytes(Path process) throws IOException {
        try {
            return value(Files.readString(process.resolve("smaps_rollup")), "Pss:");
        } catch (NoSuchFileException e) {
            // A kernel without the rollup, or a process that has ended meanwhile.
            Path status = process.resolve("status");
            return Files.exists(status) ? value(Files.readString(status), "VmRSS:") : 0;
        }
    }

    /** The kilobytes of the line that begins with the key; 0 where there is none. */
    static long value(String text, String key) {
        return text.lines()
                .filter(line -> line.startsWith(key))
                .mapToLong(
                        line -> Long.parseLong(line.substring(key.length()).trim().split(" ")[0]))
                .findFirst()
                .orElse(0);
    }
}
