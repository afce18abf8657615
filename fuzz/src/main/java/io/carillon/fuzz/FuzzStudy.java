package io.carillon.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** One target, in as many sittings as its goal needs. One thread. */
final class FuzzStudy {
    private final FuzzTarget target;
    private final Path home;
    private final Path found;
    private final boolean resume;

    /**
     * @param work where findings and totals lie, a folder for each target
     * @param resume whether earlier sittings count, and their corpus is the beginning
     */
    FuzzStudy(FuzzTarget target, Path home, Path work, boolean resume) throws IOException {
        this.target = target;
        this.home = home;
        this.found = Files.createDirectories(work.resolve(target.label()));
        this.resume = resume;
    }

    /** Sits until the goal is reached or something is found. */
    FuzzResult until(FuzzGoal goal, boolean keep) throws IOException, InterruptedException {
        begin();
        FuzzResult total = FuzzTotals.read(target, found);
        while (total.finding().isEmpty() && !goal.reached(total)) {
            JazzerRun run = new JazzerRun(target, home, found, total);
            total = run.sit(List.of("-max_total_time=" + goal.next(total)));
            FuzzTotals.write(total, found);
        }
        if (keep && total.finding().isEmpty()) {
            return new JazzerRun(target, home, found, total).merge();
        }
        return total;
    }

    /** So many inputs as a seed makes of the corpus: the same each time. */
    FuzzResult runs(long runs, long seed) throws IOException, InterruptedException {
        begin();
        FuzzResult none = FuzzResult.none(target);
        return new JazzerRun(target, home, found, none)
                .sit(
                        List.of(
                                JazzerRun.RUNS + target.size().share(runs),
                                "-seed=" + seed,
                                "-reload=0"));
    }

    private void begin() throws IOException {
        if (resume) {
            return;
        }
        Corpus.delete(found.resolve(JazzerRun.CORPUS));
        FuzzTotals.write(FuzzResult.none(target), found);
    }
}
