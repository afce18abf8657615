package io.carillon.server.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LocalPartsTest {
    /** Their dump is more than the pipes and sockets between two processes take. */
    private static final int MANY = 800;

    /** A process that has many threads, and answers each line with itself. */
    static final class ManyThreads {
        private ManyThreads() {}

        @SuppressWarnings("SystemOut") // it is how this process answers
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
            System.in.transferTo(System.out);
        }
    }

    @Test
    void aServerGoesOnAlthoughNobodyReadsTheDumpOfItsThreads() throws Exception {
        Process server =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xss256k",
                                "-cp",
                                Path.of(
                                                LocalPartsTest.class
                                                        .getProtectionDomain()
                                                        .getCodeSource()
                                                        .getLocation()
                                                        .toURI())
                                        .toString(),
                                ManyThreads.class.getName())
                        .start();
        try {
            BufferedReader answers = server.inputReader();
            assertThat(answer(server, answers, "ready")).isEqualTo("ready");
            Process tool = new ProcessBuilder(LocalParts.threadsCommand(server.pid())).start();
            try {
                BufferedReader dump = tool.inputReader();
                String line = dump.readLine();
                while (line != null && !line.startsWith("Full thread dump")) {
                    line = dump.readLine();
                }
                assertThat(line).as("the dump has begun").isNotNull();
                assertThat(answer(server, answers, "goes on")).isEqualTo("goes on");
            } finally {
                tool.destroyForcibly();
            }
            assertThat(LocalParts.threadsOf(server.pid()))
                    .contains("\"waiting-0\"", "\"waiting-" + (MANY - 1) + "\"");
        } finally {
            server.destroyForcibly();
        }
    }

    private static String answer(Process server, BufferedReader answers, String line)
            throws Exception {
        server.outputWriter().append(line).append('\n').flush();
        return CompletableFuture.supplyAsync(() -> read(answers)).get(1, TimeUnit.MINUTES);
    }

    private static String read(BufferedReader answers) {
        try {
            return answers.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
