package io.carillon.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process that the lab started, with its output in a file. It ends with the lab, also when that
 * is interrupted.
 */
public final class Child implements AutoCloseable {
    private final String name;
    private final Process process;
    private final Path log;
    private final long endSeconds;
    private final Thread end;

    private Child(String name, Process process, Path log, long endSeconds) {
        this.name = name;
        this.process = process;
        this.log = log;
        this.endSeconds = endSeconds;
        this.end = Thread.ofPlatform().name("end-" + name).unstarted(process::destroy);
    }

    /**
     * Starts one.
     *
     * @param cpus processors to run on, as taskset takes them; empty: any
     * @param endSeconds how long it may take to end when it is asked to
     */
    public static Child start(
            String name, String cpus, List<String> command, Path log, long endSeconds)
            throws IOException {
        List<String> pinned = new ArrayList<>();
        if (!cpus.isEmpty()) {
            pinned.addAll(List.of("taskset", "-c", cpus));
        }
        pinned.addAll(command);
        Process process =
                new ProcessBuilder(pinned)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        Child child = new Child(name, process, log, endSeconds);
        try {
            Runtime.getRuntime().addShutdownHook(child.end);
        } catch (IllegalStateException e) {
            process.destroy();
            throw new IOException(name + " is not started any more: the lab is ending", e);
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
            for (String line : Files.readString(log).split("\n")) {
                if (line.startsWith(sign)) {
                    return line;
                }
            }
            if (ended) {
                throw new IOException(name + " ended without starting: " + lastWords());
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IOException(
                        name + " did not start within " + seconds + " s: " + lastWords());
            }
            Pause.millis(50);
        }
    }

    /** The last lines that it said, which is where a process says why it ends. */
    public String lastWords() throws IOException {
        List<String> lines = Files.readString(log).lines().filter(line -> !line.isBlank()).toList();
        int from = Math.max(0, lines.size() - 3);
        return lines.isEmpty()
                ? "it said nothing"
                : String.join(" / ", lines.subList(from, lines.size()));
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

    /** Asks it to end (SIGTERM; a Ctrl-C would be ignored where the lab runs in the background). */
    public void askToEnd() {
        process.destroy();
    }

    /** Waits for its end; false when it still runs. */
    public boolean await(long seconds) throws IOException {
        try {
            return process.waitFor(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + name, e);
        }
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        if (!await(endSeconds)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            await(endSeconds);
        }
        try {
            Runtime.getRuntime().removeShutdownHook(end);
        } catch (IllegalStateException e) {
            // The lab is being interrupted: the hook runs already, and finds the process ended.
            return;
        }
    }
}
