package io.carillon.server.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalPartsTest {
    private static final int MANY = 800;

    /** A process that has many threads, and asks for them itself. */
    static final class ManyThreads {
        private ManyThreads() {}

        @SuppressWarnings("SystemOut")
        public static void main(String[] args) throws Exception {
            CountDownLatch never = new CountDownLatch(1);
            for (int i = 0; i < MANY; i++) {
                Thread.ofPlatform()
                        .daemon()
                        .name("waiting-" + i)
                        .start(() -> {
                            try {
                                never.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        });
            }
            System.out.print(LocalParts.threadsOf(ProcessHandle.current().pid()));
        }
    }

    /** It stands still until the tool has all of its output: more than pipes between them take. */
    @Test
    void aProcessThatAsksForItsOwnThreadsGetsThemHoweverManyTheyAre(@TempDir Path folder)
            throws Exception {
        Path printed = folder.resolve("printed.txt");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xss256k",
                                "-cp",
                                classes(LocalParts.class)
                                        + File.pathSeparator
                                        + classes(LocalPartsTest.class),
                                ManyThreads.class.getName())
                        .redirectErrorStream(true)
                        .redirectOutput(printed.toFile())
                        .start();
        try {
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).as("ends").isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(printed, StandardCharsets.UTF_8))
                .contains("\"waiting-0\"", "\"waiting-" + (MANY - 1) + "\"");
    }

    private static String classes(Class<?> of) throws Exception {
        return Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    }
}
