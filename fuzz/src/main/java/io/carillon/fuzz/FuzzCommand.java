package io.carillon.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
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
            names = "--keep",
            description = "puts inputs that reach something new into fuzz/corpus, to be checked in")
    private boolean keep;

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
        if (minutes <= 0) {
            System.err.println("carillon fuzz: --minutes is more than 0");
            return 2;
        }
        return run(targets.isEmpty() ? List.of(FuzzTarget.values()) : targets);
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
        int seconds = Math.max(1, (int) (minutes * SECONDS_PER_MINUTE));
        System.out.printf(
                "%-12s %14s %10s %10s %16s %8s %10s%n",
                "target", "executions", "seconds", "edges", "last new at", "corpus", "slowest");
        boolean clean = true;
        for (FuzzTarget target : targets) {
            FuzzResult result = new JazzerRun(target, home, work).run(seconds, keep);
            clean &= result.clean();
            print(result);
        }
        return clean ? 0 : 1;
    }

    private static void print(FuzzResult result) {
        System.out.printf(
                Locale.ROOT,
                "%-12s %,14d %10d %10d %14d s %8d %8d s%n",
                result.target().label(),
                result.executions(),
                result.seconds(),
                result.coverage(),
                result.lastNewSeconds(),
                result.corpus(),
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
