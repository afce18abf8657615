package io.carillon.bench.compare;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One SIPp pair: a callee and a caller that send their calls through the server. Messages are
 * counted by {@code -trace_counts}, calls by {@code -trace_stat}.
 */
final class Sipp implements AutoCloseable {
    /** What one SIPp side counted at its end. */
    record Counts(long succeeded, long failed, long retransmissions, long unexpected) {}

    /**
     * The load of one window.
     *
     * @param calls calls in total
     * @param holdMillis talk time of a call
     */
    record Load(
            Path scenarios,
            String workload,
            int serverPort,
            int rate,
            long calls,
            int holdMillis,
            String cpus) {}

    private final Path folder;
    private final Process callee;
    private final Process caller;

    private Sipp(Path folder, Process callee, Process caller) {
        this.folder = folder;
        this.callee = callee;
        this.caller = caller;
    }

    static Sipp start(Load load, Path folder) throws IOException {
        Files.createDirectories(folder);
        String scenario = load.scenarios() + "/" + load.workload();
        Process callee = launch(folder, load.cpus(), scenario + "-uas.xml", "5071", List.of());
        List<String> calls =
                List.of(
                        "-rsa",
                        "127.0.0.1:" + load.serverPort(),
                        "-r",
                        Integer.toString(load.rate()),
                        "-m",
                        Long.toString(load.calls()),
                        "-l",
                        "1000000",
                        "-d",
                        Integer.toString(load.holdMillis()),
                        "127.0.0.1:5071");
        Process caller = launch(folder, load.cpus(), scenario + "-uac.xml", "5081", calls);
        return new Sipp(folder, callee, caller);
    }

    private static Process launch(
            Path folder, String cpus, String scenario, String port, List<String> more)
            throws IOException {
        List<String> command = new ArrayList<>(List.of("taskset", "-c", cpus, "sipp"));
        command.addAll(List.of("-sf", scenario, "-i", "127.0.0.1", "-p", port, "-nostdin"));
        command.addAll(List.of("-trace_counts", "-trace_stat", "-fd", "1"));
        command.addAll(List.of("-buff_size", "4194304"));
        command.addAll(more);
        String log = Path.of(scenario).getFileName() + ".log";
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(log).toFile())
                .start();
    }

    /** Waits until every call has ended. */
    void await(long seconds) throws IOException, InterruptedException {
        if (!caller.waitFor(seconds, TimeUnit.SECONDS)) {
            throw new IOException("SIPp's calls did not end within " + seconds + " s: " + folder);
        }
    }

    static Counts callerCounts(Path folder) throws IOException {
        return counts(folder, "-uac");
    }

    static Counts calleeCounts(Path folder) throws IOException {
        return counts(folder, "-uas");
    }

    private static Counts counts(Path folder, String side) throws IOException {
        Csv messages = Csv.last(folder, "*" + side + "_*_counts.csv");
        Csv calls = Csv.last(folder, "*" + side + "_[0-9]*[0-9]_.csv");
        return new Counts(
                calls.sum("SuccessfulCall(C)"),
                calls.sum("FailedCall(C)"),
                messages.sum("_Retrans"),
                messages.sum("_Unexp"));
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

    /** Ends both sides; the callee's counts are written at its end. */
    @Override
    public void close() throws IOException {
        for (Process process : List.of(caller, callee)) {
            process.destroy();
            try {
                if (!process.waitFor(10, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while SIPp ended", e);
            }
        }
    }
}
