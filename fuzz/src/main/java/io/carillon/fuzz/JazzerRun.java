package io.carillon.fuzz;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Jazzer as a process of its own, for one target; what it writes goes to a log beside the findings.
 */
final class JazzerRun {
    /** As in {@code #1048576 REDUCE cov: 512 ft: 900 corp: 200/9Kb ...}. */
    private static final Pattern PROGRESS =
            Pattern.compile("#(\\d+)\\s+(\\S+)\\s+cov: (\\d+) ft: \\d+ corp: (\\d+)/.*");

    private static final Pattern SLOWEST =
            Pattern.compile("stat::slowest_unit_time_sec:\\s+(\\d+)");

    /** The first input has all classes loaded and instrumented for it. */
    private static final int HANGS_SECONDS = 10;

    private static final Pattern ARTIFACT = Pattern.compile("Test unit written to (\\S+)");

    private final FuzzTarget target;
    private final Path home;
    private final Path work;
    private long executions;
    private long coverage;
    private long corpus;
    private long lastNew;
    private long slowest;
    private long readAt;
    private String finding = "";

    JazzerRun(FuzzTarget target, Path home, Path work) {
        this.target = target;
        this.home = home;
        this.work = work;
    }

    /**
     * Runs until the time is over or something is found.
     *
     * @param seconds at most
     * @param keep whether new inputs go to the project's corpus; else only to the folder of the run
     */
    FuzzResult run(int seconds, boolean keep) throws IOException, InterruptedException {
        Path found = Files.createDirectories(work.resolve(target.label()));
        Path own = Files.createDirectories(home.resolve("fuzz/corpus").resolve(target.label()));
        Path fresh = Files.createDirectories(found.resolve("corpus"));
        List<String> command = command("-max_total_time=" + seconds, found);
        command.add(fresh.toString());
        command.add(own.toString());
        addSeeds(command);
        long begin = System.nanoTime();
        int status = await(command, found.resolve("jazzer.log"), begin);
        if (status != 0 && finding.isEmpty()) {
            finding = "Jazzer ended with " + status + ", see " + found.resolve("jazzer.log");
        }
        long took = (System.nanoTime() - begin) / 1_000_000_000L;
        if (keep && finding.isEmpty()) {
            merge(own, fresh, found);
        }
        return new FuzzResult(
                target, executions, coverage, lastNew, took, corpus, slowest, finding);
    }

    private void addSeeds(List<String> command) {
        for (String seeds : target.seeds()) {
            Path folder = home.resolve(seeds);
            if (Files.isDirectory(folder)) {
                command.add(folder.toString());
            }
        }
    }

    private List<String> command(String mode, Path found) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-Xmx1g",
                        "-XX:+UseSerialGC",
                        "-XX:+EnableDynamicAgentLoading",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "com.code_intelligence.jazzer.Jazzer",
                        "--target_class=" + target.className(),
                        "--instrumentation_includes=io.carillon.**",
                        "--custom_hook_includes=io.carillon.**",
                        // REGEX= of a router file is a pattern by design.
                        "--disabled_hooks=com.code_intelligence.jazzer.sanitizers.RegexInjection",
                        "--reproducer_path=" + found,
                        mode,
                        "-max_len=" + target.longest(),
                        "-timeout=" + HANGS_SECONDS,
                        "-rss_limit_mb=3000",
                        "-print_final_stats=1",
                        "-artifact_prefix=" + found + "/"));
        return command;
    }

    private int await(List<String> command, Path log, long begin)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        Thread ender = new Thread(process::destroy);
        Runtime.getRuntime().addShutdownHook(ender);
        try (BufferedReader said =
                        new BufferedReader(
                                new InputStreamReader(
                                        process.getInputStream(), StandardCharsets.UTF_8));
                var out = Files.newBufferedWriter(log)) {
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                out.write(line);
                out.newLine();
                read(line, (System.nanoTime() - begin) / 1_000_000_000L);
            }
        }
        int status = process.waitFor();
        Runtime.getRuntime().removeShutdownHook(ender);
        return status;
    }

    /** Takes the figures out of a line of Jazzer's. */
    void read(String line, long atSeconds) {
        readAt = atSeconds;
        Matcher progress = PROGRESS.matcher(line);
        if (progress.matches()) {
            executions = Long.parseLong(progress.group(1));
            long now = Long.parseLong(progress.group(3));
            if (now > coverage) {
                lastNew = atSeconds;
                coverage = now;
            }
            corpus = Long.parseLong(progress.group(4));
        }
        Matcher slow = SLOWEST.matcher(line);
        if (slow.find()) {
            slowest = Long.parseLong(slow.group(1));
        }
        Matcher artifact = ARTIFACT.matcher(line);
        if (artifact.find()) {
            finding = artifact.group(1);
        }
    }

    FuzzResult soFar() {
        return new FuzzResult(
                target, executions, coverage, lastNew, readAt, corpus, slowest, finding);
    }

    /** Of the new inputs only those stay that reach something the corpus does not. */
    private void merge(Path own, Path fresh, Path found) throws IOException, InterruptedException {
        List<String> command = command("-merge=1", found);
        command.add(own.toString());
        command.add(fresh.toString());
        await(command, found.resolve("merge.log"), System.nanoTime());
        try (Stream<Path> files = Files.list(own)) {
            corpus = files.count();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
