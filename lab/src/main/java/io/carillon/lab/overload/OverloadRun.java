package io.carillon.lab.overload;

import io.carillon.lab.process.WrongSetting;
import io.carillon.lab.study.StudyProgress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The parts of a study, one after the other. Owner: one thread. */
final class OverloadRun {
    private static final int PLAIN_FACTOR = 3;

    private static final long START_SECONDS = 8;

    /** Trials of a search, and what each takes beside its calls. */
    private static final long TRIALS = 12;

    private static final long TRIAL_MORE_SECONDS = 15;

    /** Until the last call has ended. */
    private static final long LINGER_SECONDS = 40;

    /** Until a server is quiet after a load of which nothing is left. */
    private static final long REST_SECONDS = 10;

    private final OverloadStudy study;
    private final Path folder;
    private final StudyProgress progress;
    private double capacity;

    OverloadRun(OverloadStudy study, Path folder, StudyProgress progress) {
        this.study = study;
        this.folder = folder;
        this.progress = progress;
    }

    List<PartResult> run() throws IOException, WrongSetting {
        List<PartResult> results = new ArrayList<>();
        for (Part part : study.parts()) {
            List<Part> left = study.parts().subList(results.size(), study.parts().size());
            progress.part("[" + part + "]", left.stream().mapToLong(this::usualSeconds).sum());
            results.add(run(part));
            progress.part("", 0);
        }
        return results;
    }

    /** How long a part takes, more or less. */
    private long usualSeconds(Part part) {
        long start = START_SECONDS + study.warmup();
        long search = start + TRIALS * (study.trial() + TRIAL_MORE_SECONDS);
        long one = Steps.of(study.seconds()).seconds() + LINGER_SECONDS;
        int servers = study.contrast() ? 2 : 1;
        return switch (part) {
            case FACTORS -> servers * (search + study.factors().size() * one);
            case PLAIN -> servers * (search + one);
            case COLD -> 2 * (START_SECONDS + study.seconds() + LINGER_SECONDS);
            case EMERGENCY, POLITE, SLOW -> start + study.seconds() + LINGER_SECONDS;
            case REFUSALS ->
                    2 * start
                            + (RefusalPart.RATES.size() + 1) * (study.seconds() + REST_SECONDS)
                            + LINGER_SECONDS;
        };
    }

    private PartResult run(Part part) throws IOException, WrongSetting {
        return switch (part) {
            case FACTORS -> factors(study, "Multiples of the capacity", study.factors(), part);
            case PLAIN ->
                    factors(
                            study.plain(),
                            "Three times the capacity of the plain application",
                            List.of(PLAIN_FACTOR),
                            part);
            case EMERGENCY -> sources(part).emergency();
            case POLITE -> sources(part).polite();
            case COLD -> new ColdPart(study, folderOf(part), progress, capacity()).run();
            case SLOW -> sources(part).slow();
            case REFUSALS ->
                    new RefusalPart(study.lowered(Lowering.NONE), folderOf(part), progress).run();
        };
    }

    private Path folderOf(Part part) {
        return folder.resolve(part.toString());
    }

    private SourcesPart sources(Part part) throws IOException, WrongSetting {
        return new SourcesPart(study, folderOf(part), progress, capacity());
    }

    /** That of the factors, or what is found now where those are not asked for. */
    private double capacity() throws IOException, WrongSetting {
        if (capacity == 0 && study.capacity() > 0) {
            capacity = study.capacity();
        }
        if (capacity == 0) {
            try (FactorsPart search =
                    new FactorsPart(
                            study.withoutContrast(), folder.resolve("capacity"), progress)) {
                capacity = search.capacity();
            }
        }
        return capacity;
    }

    private PartResult factors(OverloadStudy asked, String title, List<Integer> factors, Part part)
            throws IOException, WrongSetting {
        try (FactorsPart run = new FactorsPart(asked, folderOf(part), progress)) {
            double found = run.capacity();
            if (part == Part.FACTORS) {
                capacity = found;
            }
            return run.run(title, factors);
        }
    }
}
