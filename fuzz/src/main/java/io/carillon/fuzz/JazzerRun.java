package io.carillon.fuzz;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Jazzer as a process of its own, for one target; what it writes goes to a log beside the findings.
 */
final class JazzerRun {
    /** As in {@code #1048576 REDUCE cov: 512 ft: 900 corp: 200/9Kb ...}. */
    private static final Pattern PROGRESS =
            Pattern.compile(
                    "#(\\d+)\\s+(\\S+)\\s+cov: (\\d+) ft: \\d+ corp: (\\d+)/.* rss: (\\d+)Mb.*");

    private static final Pattern SLOWEST =
            Pattern.compile("stat::slowest_unit_time_sec:\\s+(\\d+)");

    /** Longer than anybody stops the process, or the machine, whose time this is. */
    private static final int HANGS_SECONDS = 600;

    /** The first input has all classes loaded and instrumented for it. */
    private static final int WARM_SECONDS = 60;

    /** Inputs that take so long are written down, to be tried again. */
    private static final int SLOW_SECONDS = 2;

    /** The first time loads what the input needs. */
    private static final int TIMES_AGAIN = 4;

    /** Whoever ends the machine loses no more than this. */
    private static final int SAVED_EVERY_SECONDS = 60;

    private static final Pattern ARTIFACT = Pattern.compile("Test unit written to (\\S+)");

    /** So many inputs, and no time: a short run. */
    static final String RUNS = "-runs=";

    /** Of the run, below the folder of findings: what it found beyond the project's. */
    static final String CORPUS = "corpus";

    /** Beside it: the project's corpus as files. */
    private static final String OWN = "seeds";

    private final FuzzTarget target;
    private final Path home;
    private final Path found;

    /** What earlier sittings came to. */
    private final FuzzResult before;

    private long executions;
    private long coverage;
    private long corpus;
    private long lastNew;
    private long slowest;
    private long megabytes;
    private long readAt;
    private long savedAt;
    private long cpu;
    private String finding = "";

    private final SlowInputs slow = new SlowInputs();

    /**
     * @param found where what is found goes
     */
    JazzerRun(FuzzTarget target, Path home, Path found, FuzzResult before) {
        this.target = target;
        this.home = home;
        this.found = found;
        this.before = before;
        coverage = before.coverage();
        lastNew = before.lastNew();
        slowest = before.slowestSeconds();
    }

    /**
     * Runs until its options say so or something is found.
     *
     * @return with what was there before
     */
    FuzzResult sit(List<String> options) throws IOException, InterruptedException {
        List<String> command = command(options);
        command.add(Files.createDirectories(found.resolve(CORPUS)).toString());
        command.add(own().toString());
        addSeeds(command);
        int status = await(command, found.resolve("jazzer.log"), true);
        if (status != 0 && finding.isEmpty() && slow.found().isEmpty()) {
            finding = "Jazzer ended with " + status + ", see " + found.resolve("jazzer.log");
        }
        if (finding.isEmpty() && !slow.found().isEmpty()) {
            tryAgain();
        }
        return soFar();
    }

    /** What is quick by itself is no finding. */
    private void tryAgain() throws IOException, InterruptedException {
        for (Path input : slow.found()) {
            slow.begin();
            List<String> command = command(List.of());
            command.addAll(Collections.nCopies(TIMES_AGAIN, input.toString()));
            int status = await(command, found.resolve("again.log"), false);
            if (status != 0 || !slow.quick()) {
                finding = input.toString();
                return;
            }
        }
        slow.forget();
        slowest = before.slowestSeconds();
    }

    /** The target's corpus in the project, a file for each input. */
    private Path own() throws IOException {
        return new Corpus(home, target).unpack(found.resolve(OWN));
    }

    private void addSeeds(List<String> command) {
        for (String seeds : target.seeds()) {
            Path folder = home.resolve(seeds);
            if (Files.isDirectory(folder)) {
                command.add(folder.toString());
            }
        }
    }

    private List<String> command(List<String> options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (options.stream().anyMatch(option -> option.startsWith(RUNS))) {
            // A short run is over before the better compiler has earned what it costs.
            command.add("-XX:TieredStopAtLevel=1");
        }
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
                        "--reproducer_path=" + found,
                        "-max_len=" + target.longest(),
                        "-timeout=" + HANGS_SECONDS,
                        "-report_slow_units=" + SLOW_SECONDS,
                        "-rss_limit_mb=3000",
                        "-print_final_stats=1",
                        "-artifact_prefix=" + found + "/"));
        command.addAll(target.size().options());
        command.addAll(options);
        return command;
    }

    private int await(List<String> command, Path log, boolean counts)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        Thread ender = new Thread(() -> ended(process, counts));
        Runtime.getRuntime().addShutdownHook(ender);
        try (BufferedReader said =
                        new BufferedReader(
                                new InputStreamReader(
                                        process.getInputStream(), StandardCharsets.UTF_8));
                var out = Files.newBufferedWriter(log)) {
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                out.write(line);
                out.newLine();
                slow.read(line);
                if (counts) {
                    cpu =
                            process.info()
                                    .totalCpuDuration()
                                    .map(Duration::toSeconds)
                                    .map(now -> Math.max(cpu, now))
                                    .orElse(cpu);
                    read(line, (System.nanoTime() - begin) / 1_000_000_000L);
                    if (readAt - savedAt >= SAVED_EVERY_SECONDS) {
                        FuzzTotals.write(soFar(), found);
                        savedAt = readAt;
                    }
                }
            }
        }
        int status = process.waitFor();
        Runtime.getRuntime().removeShutdownHook(ender);
        return status;
    }

    /** The command was told to end: what this sitting came to counts. */
    private void ended(Process process, boolean counts) {
        process.destroy();
        if (counts) {
            try {
                FuzzTotals.write(soFar(), found);
            } catch (IOException e) {
                System.err.println("carillon fuzz: the totals are not saved: " + e);
            }
        }
    }

    /** Takes the figures out of a line of Jazzer's. */
    void read(String line, long atSeconds) {
        readAt = atSeconds;
        Matcher progress = PROGRESS.matcher(line);
        if (progress.matches()) {
            executions = Long.parseLong(progress.group(1));
            long now = Long.parseLong(progress.group(3));
            if (now > coverage) {
                lastNew = before.executions() + executions;
                coverage = now;
            }
            corpus = Long.parseLong(progress.group(4));
            megabytes = Long.parseLong(progress.group(5));
        }
        Matcher took = SLOWEST.matcher(line);
        if (took.find()) {
            slowest = Math.max(slowest, counted(Long.parseLong(took.group(1))));
        }
        Matcher artifact = ARTIFACT.matcher(line);
        if (artifact.find()) {
            String file = artifact.group(1);
            if (SlowInputs.is(file)) {
                slow.add(file);
            } else {
                finding = file;
            }
        }
    }

    /** In the first minute classes are loaded: that is not the input's fault. */
    private long counted(long seconds) {
        return before.executions() > 0 && readAt < WARM_SECONDS ? 0 : seconds;
    }

    FuzzResult soFar() {
        return new FuzzResult(
                target,
                before.executions() + executions,
                coverage,
                lastNew,
                before.seconds() + readAt,
                before.cpuSeconds() + cpu,
                corpus,
                megabytes,
                slowest,
                finding);
    }

    /**
     * Of the new inputs only those go to the project's corpus that reach something it does not.
     *
     * @return what was there before, with the inputs in that corpus
     */
    FuzzResult merge() throws IOException, InterruptedException {
        Path own = own();
        List<String> command = command(List.of("-merge=1"));
        command.add(own.toString());
        command.add(found.resolve(CORPUS).toString());
        await(command, found.resolve("merge.log"), false);
        corpus = new Corpus(home, target).keep(own);
        megabytes = before.megabytes();
        return soFar();
    }
}
