package io.carillon.lab.rig;

import io.carillon.lab.load.LoadSample;
import io.carillon.lab.load.LoadSummary;
import io.carillon.lab.process.ChildProcess;
import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Json;
import io.carillon.lab.process.Pause;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.core.JacksonException;

/**
 * A running {@code ./carillon load}, a process of its own: what it has said so far, and at its end.
 * Owner: one thread.
 */
public final class LoadProcess implements AutoCloseable {
    /** An answer that never comes is given up after 64 x T1 = 32 s (RFC 3261 17.1.1.2). */
    private static final int LAST_ANSWERS_SECONDS = 36;

    private static final long END_SECONDS = 10;

    /**
     * A load.
     *
     * @param workload its name
     * @param target address of the server, as in udp:127.0.0.1:5060
     * @param rate calls per second
     * @param steps rates in its place, as {@code ./carillon load --rate} takes them; empty: none
     * @param warmupSeconds at the same rate before {@code seconds}; not in the summary
     * @param seconds how long calls are made
     * @param cpus processors of the load, as taskset takes them; empty: any
     * @param more further arguments of {@code ./carillon load}
     */
    public record Plan(
            String workload,
            String target,
            int rate,
            String steps,
            int warmupSeconds,
            int seconds,
            CallTimes calls,
            String cpus,
            List<String> more) {
        /** At one rate. */
        public Plan(
                String workload,
                String target,
                int rate,
                int warmupSeconds,
                int seconds,
                CallTimes calls,
                String cpus,
                List<String> more) {
            this(workload, target, rate, "", warmupSeconds, seconds, calls, cpus, more);
        }

        /** The same with further arguments. */
        public Plan with(List<String> others) {
            List<String> all = new ArrayList<>(more);
            all.addAll(others);
            return new Plan(
                    workload,
                    target,
                    rate,
                    steps,
                    warmupSeconds,
                    seconds,
                    calls,
                    cpus,
                    List.copyOf(all));
        }

        /** The launcher of this checkout, pinned, with the load's arguments. */
        public List<String> command(Path folder) {
            List<String> arguments = ChildProcess.pinned(cpus);
            arguments.addAll(List.of(Folders.launcher(), "load", "--workload", workload));
            String rates = steps.isEmpty() ? Integer.toString(rate) : steps;
            arguments.addAll(List.of("--target", target, "--rate", rates));
            arguments.addAll(List.of("--duration", seconds + "s"));
            if (warmupSeconds > 0) {
                arguments.addAll(List.of("--warmup", warmupSeconds + "s"));
            }
            arguments.addAll(calls.arguments());
            arguments.addAll(List.of("--json", summaryFile(folder).toString()));
            arguments.addAll(List.of("--json-lines", linesFile(folder).toString(), "--plain"));
            arguments.addAll(more);
            return arguments;
        }
    }

    /** The calls of a load did not end: the server has not answered them to the end. */
    public static final class Unfinished extends IOException {
        private static final long serialVersionUID = 1;

        public Unfinished(String message) {
            super(message);
        }
    }

    private final Plan plan;
    private final Path folder;
    private final ChildProcess process;
    private long readUpTo;
    private long held;

    private LoadProcess(Plan plan, Path folder, ChildProcess process) {
        this.plan = plan;
        this.folder = folder;
        this.process = process;
    }

    public static LoadProcess start(Plan plan, Path folder) throws IOException {
        Files.createDirectories(folder);
        ChildProcess process =
                ChildProcess.start(
                        new ChildProcess.Plan(
                                "the load", plan.command(folder), log(folder), END_SECONDS));
        return new LoadProcess(plan, folder, process);
    }

    private static Path log(Path folder) {
        return folder.resolve("load.log");
    }

    private static Path summaryFile(Path folder) {
        return folder.resolve("summary.json");
    }

    private static Path linesFile(Path folder) {
        return folder.resolve("seconds.jsonl");
    }

    public boolean isRunning() {
        return process.isAlive();
    }

    public long cpuNanos() throws IOException {
        return process.cpuNanos();
    }

    /** Whether it kept the limits that it was given; it must have ended. */
    public boolean endedWell() {
        return process.exitCode() == 0;
    }

    /** The seconds that were told since this was asked last. */
    public List<LoadSample> newSamples() throws IOException {
        List<LoadSample> samples = new ArrayList<>();
        Path file = linesFile(folder);
        if (!Files.exists(file)) {
            return samples;
        }
        byte[] all = Files.readAllBytes(file);
        int begin = (int) readUpTo;
        for (int i = begin; i < all.length; i++) {
            if (all[i] == '\n') {
                String line = new String(all, begin, i - begin, StandardCharsets.UTF_8);
                begin = i + 1;
                if (line.startsWith("{") && !line.contains("\"workload\"")) {
                    samples.add(sample(line));
                }
            }
        }
        readUpTo = begin;
        return samples;
    }

    private static LoadSample sample(String line) throws IOException {
        try {
            return Json.LINES.readValue(line, LoadSample.class);
        } catch (JacksonException e) {
            throw new IOException("the load's line cannot be read: " + line, e);
        }
    }

    /** Why a second was not clean; empty when it was. */
    public static String fault(LoadSample second) {
        return fault(
                second.failed(),
                second.retransmissionsSent(),
                second.retransmissionsReceived(),
                0,
                second.generatorDrops());
    }

    public static String fault(
            long failed, long sentAgain, long receivedAgain, long serverDrops, long loadDrops) {
        List<String> faults = new ArrayList<>();
        if (failed > 0) {
            faults.add(count(failed, "failed call"));
        }
        if (sentAgain + receivedAgain > 0) {
            faults.add(count(sentAgain + receivedAgain, "retransmission"));
        }
        if (serverDrops > 0) {
            faults.add(count(serverDrops, "datagram") + " dropped at the server");
        }
        if (loadDrops > 0) {
            faults.add(count(loadDrops, "datagram") + " dropped at the load");
        }
        return String.join(", ", faults);
    }

    private static String count(long number, String what) {
        return String.format(Locale.ROOT, "%,d %s%s", number, what, number == 1 ? "" : "s");
    }

    /** Waits until so many seconds of the load have been told. */
    public void awaitSeconds(int seconds) throws IOException {
        int told = 0;
        while (told < seconds) {
            if (!process.isAlive()) {
                throw new IOException("the load ended early: " + process.lastWords());
            }
            for (LoadSample sample : newSamples()) {
                told++;
                held = sample.held();
            }
            Pause.millis(100);
        }
    }

    /** Calls that were up at the end of the last second that was told. */
    public long lastHeld() {
        return held;
    }

    /** No more calls; those that are up are ended. */
    public void stopEarly() {
        process.askToEnd();
    }

    /**
     * Waits until all calls have ended, and reads what the load says of them.
     *
     * @throws Unfinished if they do not end in the time that they may take
     */
    public LoadSummary awaitSummary() throws IOException {
        return awaitSummary(usualSeconds());
    }

    /**
     * Waits so long until all calls have ended, and reads what the load says of them.
     *
     * @throws Unfinished if they do not end in that time
     */
    public LoadSummary awaitSummary(long seconds) throws IOException {
        Optional<LoadSummary> summary = awaitEnd(seconds);
        if (summary.isEmpty()) {
            throw new IOException(
                    "the load ended with exit code "
                            + process.exitCode()
                            + " and left no summary; it said: "
                            + process.lastWords());
        }
        return summary.get();
    }

    /** Waits until all calls have ended; a load that was stopped may have left no summary. */
    public Optional<LoadSummary> awaitEnd() throws IOException {
        return awaitEnd(usualSeconds());
    }

    private long usualSeconds() {
        return plan.warmupSeconds()
                + plan.seconds()
                + (long) plan.calls().seconds()
                + LAST_ANSWERS_SECONDS;
    }

    private Optional<LoadSummary> awaitEnd(long seconds) throws IOException {
        if (!process.await(seconds)) {
            throw new Unfinished("the load did not end within " + seconds + " s: " + log(folder));
        }
        Path file = summaryFile(folder);
        return Files.exists(file)
                ? Optional.of(Json.read(file, LoadSummary.class))
                : Optional.empty();
    }

    @Override
    public void close() throws IOException {
        process.close();
    }
}
