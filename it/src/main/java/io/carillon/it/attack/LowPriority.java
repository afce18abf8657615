package io.carillon.it.attack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The attacker gets what server and callers leave: on a machine of two processors its own work
 * would otherwise delay the calls that it is measured beside. What the kernel does for its packets,
 * their delivery to the server's sockets included, is charged to it too, as it would not be if they
 * came by a network card.
 */
final class LowPriority {
    /** Linux cuts names of threads after 15 bytes. */
    static final String THREAD = "attack";

    private static final Path THREADS = Path.of("/proc/self/task");

    private LowPriority() {}

    /** Lowers the calling thread, which has the name; where that cannot be done, says so. */
    static void take() {
        try (Stream<Path> threads = Files.list(THREADS)) {
            for (Path thread : threads.toList()) {
                if (Files.readString(thread.resolve("comm")).strip().equals(THREAD)) {
                    renice(thread.getFileName().toString());
                }
            }
        } catch (IOException e) {
            System.err.println("the attack has the priority of all others: " + e.getMessage());
        }
    }

    private static void renice(String thread) throws IOException {
        Process renice =
                new ProcessBuilder(List.of("renice", "-n", "10", "-p", thread))
                        .redirectErrorStream(true)
                        .start();
        try {
            String said =
                    new String(renice.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                            .strip();
            if (renice.waitFor() != 0) {
                throw new IOException(said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
