package io.carillon.lab.rig;

import io.carillon.lab.process.ChildProcess;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One running SIPp. Messages are counted by {@code -trace_counts}, calls by {@code -trace_stat},
 * response times (first message of the call to its 200) by {@code -trace_rtt}.
 */
public final class Sipp implements AutoCloseable {
    /** What SIPp counted at its end. */
    public record Counts(long succeeded, long failed, long retransmissions, long unexpected) {
        public Counts plus(Counts other) {
            return new Counts(
                    succeeded + other.succeeded,
                    failed + other.failed,
                    retransmissions + other.retransmissions,
                    unexpected + other.unexpected);
        }
    }

    private static final long END_SECONDS = 10;

    private final Path folder;
    private final ChildProcess process;

    private Sipp(Path folder, ChildProcess process) {
        this.folder = folder;
        this.process = process;
    }

    /**
     * Starts SIPp in {@code folder}, where it leaves its counts.
     *
     * @param cpus CPUs to run on, as taskset takes them; empty: any
     */
    public static Sipp start(Path folder, String cpus, Path scenario, int port, List<String> more)
            throws IOException {
        List<String> command = ChildProcess.pinned(cpus);
        command.addAll(List.of("sipp", "-sf", scenario.toString()));
        command.addAll(List.of("-p", Integer.toString(port)));
        command.addAll(more);
        return launch(folder, command);
    }

    /** Starts SIPp in {@code folder} with the arguments of a conversation. */
    public static Sipp start(Path folder, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("sipp"));
        command.addAll(arguments);
        command.addAll(List.of("-trace_err", "-timeout_error"));
        return launch(folder, command);
    }

    private static Sipp launch(Path folder, List<String> command) throws IOException {
        Files.createDirectories(folder);
        if (!command.contains("-i")) {
            command.addAll(List.of("-i", "127.0.0.1"));
        }
        command.add("-nostdin");
        command.addAll(List.of("-trace_counts", "-trace_stat", "-fd", "1"));
        command.addAll(List.of("-buff_size", "4194304"));
        ChildProcess process =
                ChildProcess.start(
                        new ChildProcess.Plan(
                                "SIPp",
                                command,
                                folder.resolve("sipp.log"),
                                END_SECONDS,
                                Map.of(),
                                folder));
        return new Sipp(folder, process);
    }

    /** Waits until every call has ended. */
    public void await(long seconds) throws IOException {
        if (!process.await(seconds)) {
            throw new IOException("SIPp's calls did not end within " + seconds + " s: " + folder);
        }
    }

    /** Waits for its end; false when it has calls that do not end. */
    public boolean hasEnded(long seconds) throws IOException {
        return process.await(seconds);
    }

    /** CPU nanoseconds (utime + stime) of it. */
    public long cpuNanos() throws IOException {
        return process.cpuNanos();
    }

    /** SIPp's exit code: 0 when every call went well; SIPp must have ended. */
    public int exitCode() {
        return process.exitCode();
    }

    /** The counts of a SIPp that ran in {@code folder} and has ended. */
    public static Counts counts(Path folder) throws IOException {
        Csv messages = Csv.last(folder, "*_counts.csv");
        Csv calls = Csv.last(folder, "*_[0-9]*[0-9]_.csv");
        return new Counts(
                calls.sum("SuccessfulCall(C)"),
                calls.sum("FailedCall(C)"),
                messages.sum("_Retrans"),
                messages.sum("_Unexp"));
    }

    /** Response times in milliseconds of all calls, sorted; of a SIPp that had -trace_rtt. */
    public static double[] responseTimes(Path folder) throws IOException {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*_rtt.csv")) {
            List<Double> times = new ArrayList<>();
            for (Path file : found) {
                for (String line : Files.readAllLines(file)) {
                    String[] fields = line.split(";");
                    if (fields.length > 1 && !fields[0].startsWith("Date")) {
                        times.add(Double.parseDouble(fields[1]));
                    }
                }
            }
            return times.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        }
    }

    /** The last line of one of SIPp's tables. */
    private record Csv(List<String> names, List<String> values) {
        static Csv last(Path folder, String glob) throws IOException {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, glob)) {
                for (Path file : found) {
                    List<String> lines = Files.readAllLines(file);
                    return new Csv(
                            List.of(lines.getFirst().split(";")),
                            List.of(lines.getLast().split(";")));
                }
            }
            throw new IOException("SIPp left no " + glob + " in " + folder);
        }

        long sum(String ending) {
            long sum = 0;
            for (int i = 0; i < Math.min(names.size(), values.size()); i++) {
                if (names.get(i).endsWith(ending) && !values.get(i).isBlank()) {
                    sum += Long.parseLong(values.get(i).trim());
                }
            }
            return sum;
        }
    }

    /** Ends SIPp; it writes its last counts then. */
    @Override
    public void close() throws IOException {
        process.close();
    }
}
