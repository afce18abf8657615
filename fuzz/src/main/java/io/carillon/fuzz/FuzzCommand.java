package io.carillon.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./carillon fuzz}: Jazzer over each target in turn, and a table of what it reached. */
@Command(
        name = "carillon fuzz",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Tries what must hold for any bytes, one target after the other. Exits with 1 when it does not; the"
                        + " input is kept.")
public final class FuzzCommand implements Callable<Integer> {
    private static final int SECONDS_PER_MINUTE = 60;
    private static final int MOST_JOBS = 64;

    @Option(
            names = "--target",
            split = ",",
            paramLabel = "NAME",
            description = "which: datagram, stream, uri, ... (all)")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--minutes",
            defaultValue = "30",
            description = "how long, each target (${DEFAULT-VALUE})")
    private double minutes = 30;

    @Option(
            names = "--executions",
            defaultValue = "0",
            paramLabel = "N",
            description = "at least so many inputs as well, each target (${DEFAULT-VALUE})")
    private long executions;

    @Option(
            names = "--settled",
            defaultValue = "0",
            paramLabel = "N",
            description = "and until so many inputs reached no new edge (${DEFAULT-VALUE})")
    private long settled;

    @Option(
            names = "--resume",
            description = "goes on where earlier runs ended: their inputs and figures count")
    private boolean resume;

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "instead of all that: so many inputs, the same ones each time")
    private long runs;

    @Option(
            names = "--seed",
            defaultValue = "1",
            paramLabel = "N",
            description = "which inputs those are (${DEFAULT-VALUE})")
    private long seed = 1;

    @Option(
            names = "--jobs",
            defaultValue = "1",
            paramLabel = "N",
            description = "so many targets at once (${DEFAULT-VALUE})")
    private int jobs = 1;

    @Option(
            names = "--keep",
            description = "puts inputs that reach something new into fuzz/corpus, to be checked in")
    private boolean keep;

    @Option(
            names = "--show",
            description =
                    "tries nothing: the table of what earlier runs, or one under way, came to")
    private boolean show;

    @Option(
            names = "--out",
            defaultValue = "fuzz/target/findings",
            paramLabel = "FOLDER",
            description = "where findings and logs go (${DEFAULT-VALUE})")
    private Path out = Path.of("fuzz/target/findings");

    private final Path home = Path.of(System.getProperty("carillon.home", "."));

    /** Starts it; exits with 0, 1 or 2. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new FuzzCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<FuzzTarget> targets = new ArrayList<>();
        for (String name : names) {
            FuzzTarget target = target(name);
            if (target == null) {
                System.err.printf(
                        "carillon fuzz: there is no target %s; there are %s%n", name, labels());
                return 2;
            }
            targets.add(target);
        }
        String wrong = wrong();
        if (wrong != null) {
            System.err.println("carillon fuzz: " + wrong);
            return 2;
        }
        return run(targets.isEmpty() ? List.of(FuzzTarget.values()) : targets);
    }

    private @Nullable String wrong() {
        if (minutes <= 0) {
            return "--minutes is more than 0";
        }
        if (executions < 0 || settled < 0 || runs < 0) {
            return "--executions, --settled and --runs are not below 0";
        }
        if (jobs < 1 || jobs > MOST_JOBS) {
            return "--jobs is 1 to " + MOST_JOBS;
        }
        if (show && runs > 0) {
            return "--show tries nothing: not with --runs";
        }
        return runs > 0 && resume ? "--runs begins anew: not with --resume" : null;
    }

    private static @Nullable FuzzTarget target(String name) {
        for (FuzzTarget target : FuzzTarget.values()) {
            if (target.label().equals(name.strip())) {
                return target;
            }
        }
        return null;
    }

    private static List<String> labels() {
        return Arrays.stream(FuzzTarget.values()).map(FuzzTarget::label).toList();
    }

    private int run(List<FuzzTarget> targets) throws IOException, InterruptedException {
        Path work = Files.createDirectories(home.resolve(out));
        printHead();
        if (show) {
            return show(targets, work);
        }
        long tried = 0;
        boolean clean = true;
        try (ExecutorService threads = Executors.newFixedThreadPool(jobs)) {
            CompletionService<FuzzResult> done = new ExecutorCompletionService<>(threads);
            for (FuzzTarget target : targets) {
                done.submit(() -> study(target, work));
            }
            for (int left = targets.size(); left > 0; left--) {
                FuzzResult result = done.take().get();
                clean &= result.clean();
                tried += result.executions();
                print(result);
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
        }
        printAll(tried);
        return clean ? 0 : 1;
    }

    /** What lies in the files of totals; a run under way writes them every minute. */
    private static int show(List<FuzzTarget> targets, Path work) throws IOException {
        long tried = 0;
        for (FuzzTarget target : targets) {
            FuzzResult result = FuzzTotals.read(target, work.resolve(target.label()));
            if (result.executions() > 0) {
                tried += result.executions();
                print(result);
            }
        }
        printAll(tried);
        return 0;
    }

    private static void printHead() {
        System.out.printf(
                "%-12s %14s %8s %10s %8s %14s %8s %8s %8s%n",
                "target",
                "executions",
                "seconds",
                "per CPU s",
                "edges",
                "last new at",
                "corpus",
                "memory",
                "slowest");
    }

    private static void printAll(long tried) {
        System.out.printf(Locale.ROOT, "%-12s %,14d%n", "all", tried);
    }

    private FuzzResult study(FuzzTarget target, Path work)
            throws IOException, InterruptedException {
        FuzzStudy study = new FuzzStudy(target, home, work, resume);
        if (runs > 0) {
            return study.runs(runs, seed);
        }
        long seconds = Math.max(1, (long) (minutes * SECONDS_PER_MINUTE));
        return study.until(new FuzzGoal(seconds, executions, settled), keep);
    }

    private static void print(FuzzResult result) {
        System.out.printf(
                Locale.ROOT,
                "%-12s %,14d %8d %,10d %8d %,14d %8d %5d MB %6d s%n",
                result.target().label(),
                result.executions(),
                result.seconds(),
                result.pace(),
                result.coverage(),
                result.lastNew(),
                result.corpus(),
                result.megabytes(),
                result.slowestSeconds());
        if (!result.clean()) {
            System.out.println(
                    "  FOUND: "
                            + (result.finding().isEmpty()
                                    ? "an input that took over a second"
                                    : result.finding()));
        }
        System.out.flush();
    }
}
