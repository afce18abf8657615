package io.carillon.server.watch;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The project's own tests, run by Maven behind each change. One run at a time: a change ends the
 * run of the one before. {@link #begin} and {@link #close} on one thread.
 */
final class TestRuns implements AutoCloseable {
    private static final int MOST_LINES = 30;

    private final Pom pom;
    private final String which;
    private final PrintWriter out;
    private volatile @Nullable Process running;

    /**
     * Starts nothing yet.
     *
     * @param which as surefire's {@code -Dtest} takes it; empty: all
     */
    TestRuns(Pom pom, String which, PrintWriter out) {
        this.pom = pom;
        this.which = which;
        this.out = out;
    }

    /** Begins a run, in place of one that is under way. */
    void begin() throws IOException {
        close();
        List<String> command =
                new ArrayList<>(
                        List.of(
                                MavenClassPath.program(pom.folder()),
                                "-o",
                                "-B",
                                "-ntp",
                                "-q",
                                "-f",
                                pom.file().toString(),
                                "test"));
        if (!which.isEmpty()) {
            command.addAll(List.of("-Dtest=" + which, "-Dsurefire.failIfNoSpecifiedTests=true"));
        }
        Path log = Files.createTempFile("carillon-watch-test", ".log");
        long begun = System.nanoTime();
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        running = process;
        Thread.ofPlatform().daemon().name("watch-tests").start(() -> report(process, log, begun));
    }

    private void report(Process process, Path log, long begun) {
        try {
            int code = process.waitFor();
            double seconds = (System.nanoTime() - begun) / (double) TimeUnit.SECONDS.toNanos(1);
            if (running != process) {
                Files.deleteIfExists(log);
                return; // a newer run has taken its place
            }
            if (code == 0) {
                out.printf(Locale.ROOT, "tests passed, %.1f s%n", seconds);
            } else {
                out.printf(Locale.ROOT, "TESTS FAILED, %.1f s%n", seconds);
                failures(Files.readString(log, StandardCharsets.UTF_8)).forEach(out::println);
            }
            out.flush();
            Files.deleteIfExists(log);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            out.println("carillon: the tests' output cannot be read: " + e.getMessage());
        }
    }

    /** What Maven has against it, without its advice. */
    static List<String> failures(String log) {
        return log.lines()
                .filter(line -> line.startsWith("[ERROR] "))
                .map(line -> "    " + line.substring("[ERROR] ".length()))
                .filter(line -> !line.isBlank())
                .takeWhile(line -> !line.contains("Failed to execute goal"))
                .limit(MOST_LINES)
                .toList();
    }

    @Override
    public void close() {
        Process process = running;
        running = null;
        if (process != null && process.isAlive()) {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
        }
    }
}
