package io.carillon.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process that this one started, with its output in a file. It ends with this one, also when that
 * is interrupted. Owner: one thread.
 */
public final class ChildProcess implements AutoCloseable {
    private static final long KILL_SECONDS = 10;

    private final Plan plan;
    private final Process process;
    private final Thread end;

    /**
     * What is started.
     *
     * @param name what messages call it
     * @param command program and arguments
     * @param log gets what it prints
     * @param endSeconds how long it may take to end when it is asked to
     * @param environment beside that of this process
     * @param directory that it runs in; null: that of this process
     */
    public record Plan(
            String name,
            List<String> command,
            Path log,
            long endSeconds,
            Map<String, String> environment,
            @Nullable Path directory) {
        public Plan(String name, List<String> command, Path log, long endSeconds) {
            this(name, command, log, endSeconds, Map.of(), null);
        }
    }

    private ChildProcess(Plan plan, Process process) {
        this.plan = plan;
        this.process = process;
        this.end = Thread.ofPlatform().name("end-" + plan.name()).unstarted(process::destroy);
    }

    /** The beginning of a command that runs on these processors, as taskset takes them. */
    public static List<String> pinned(String cpus) {
        return cpus.isEmpty() ? new ArrayList<>() : new ArrayList<>(List.of("taskset", "-c", cpus));
    }

    /**
     * Starts one.
     *
     * @param cpus processors to run on, as taskset takes them; empty: any
     * @param endSeconds how long it may take to end when it is asked to
     */
    public static ChildProcess start(
            String name, String cpus, List<String> command, Path log, long endSeconds)
            throws IOException {
        List<String> pinned = pinned(cpus);
        pinned.addAll(command);
        return start(new Plan(name, pinned, log, endSeconds));
    }

    public static ChildProcess start(Plan plan) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(plan.command())
                        .redirectErrorStream(true)
                        .redirectOutput(plan.log().toFile());
        builder.environment().putAll(plan.environment());
        if (plan.directory() != null) {
            builder.directory(plan.directory().toFile());
        }
        ChildProcess child = new ChildProcess(plan, builder.start());
        try {
            Runtime.getRuntime().addShutdownHook(child.end);
        } catch (IllegalStateException e) {
            child.process.destroy();
            throw new IOException(
                    plan.name() + " is not started any more: this process is ending", e);
        }
        return child;
    }

    /**
     * Waits until its output has a line that begins with the sign, and returns that line.
     *
     * @throws IOException when it ends first or takes too long, with the last that it said
     */
    public String awaitLine(String sign, long seconds) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (true) {
            // Asked before the output is read: what it said last is in there then.
            boolean ended = !process.isAlive();
            for (String line : said().split("\n")) {
                if (line.startsWith(sign)) {
                    return line;
                }
            }
            if (ended) {
                throw new IOException(plan.name() + " ended without starting: " + lastWords());
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IOException(
                        plan.name() + " did not start within " + seconds + " s: " + lastWords());
            }
            Pause.millis(50);
        }
    }

    /** All that it has printed. */
    public String said() throws IOException {
        return Files.readString(plan.log());
    }

    /**
     * The last lines that it said, which is where a process says why it ends, without the places of
     * stack traces; and where all of it is.
     */
    public String lastWords() throws IOException {
        List<String> lines =
                said().lines()
                        .map(String::strip)
                        .filter(line -> !line.isEmpty() && !line.matches("at .*|\\.\\.\\. .*"))
                        .toList();
        String end = String.join(" / ", lines.subList(Math.max(0, lines.size() - 3), lines.size()));
        return (end.isEmpty() ? "it said nothing" : end) + "; all of it is in " + plan.log();
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Its exit code; it must have ended. */
    public int exitCode() {
        return process.exitValue();
    }

    /** CPU nanoseconds (utime + stime) of it and its living descendants. */
    public long cpuNanos() throws IOException {
        return Proc.cpuNanos(process.toHandle());
    }

    /** Bytes of memory that it and its descendants hold: what they share counts once. */
    public long memoryBytes() throws IOException {
        return ResidentMemory.bytes(process.toHandle());
    }

    /** Asks it to end (SIGTERM; a Ctrl-C would be ignored where this runs in the background). */
    public void askToEnd() {
        process.destroy();
    }

    /** SIGKILL: no hook of its own runs. */
    public void kill() throws IOException {
        process.destroyForcibly();
        await(KILL_SECONDS);
        forget();
    }

    /** Waits for its end; false when it still runs. */
    public boolean await(long seconds) throws IOException {
        try {
            return process.waitFor(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + plan.name(), e);
        }
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!await(plan.endSeconds())) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                await(plan.endSeconds());
            }
        } finally {
            forget();
        }
    }

    private void forget() {
        try {
            Runtime.getRuntime().removeShutdownHook(end);
        } catch (IllegalStateException e) {
            // This process is being ended: the hook runs already, and finds the other one ended.
            return;
        }
    }
}
