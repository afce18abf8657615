package io.carillon.lab.overload;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.WrongSetting;
import io.carillon.lab.study.CpuPinning;
import io.carillon.lab.study.StudyProgress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./carillon lab overload}: what a server does above its capacity. */
@Command(
        name = "overload",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Finds the server's capacity, then loads it with multiples of it: how many calls are answered in time and"
                    + " completed, what is refused and what that costs, what fails, and how soon all is as before. The"
                    + " server without overload control gets the same load.",
            "docs/guides/lab.md says what each figure means. Nothing else should run on the machine."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:every line was kept",
            "1:a line fell short, or the study could not run; the last line says which",
            "2:wrong arguments"
        })
public final class OverloadCommand implements Callable<Integer> {
    @Mixin private WhatOptions what = new WhatOptions();

    @Mixin private LengthOptions lengths = new LengthOptions();

    @Mixin private PlaceOptions places = new PlaceOptions();

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description = "where the results go (lab/target/overload-TIME)")
    private String out = "";

    @Override
    public Integer call() {
        try {
            OverloadStudy study = asked();
            places.checkMachine();
            Path folder = Folders.results(out, "lab", "overload");
            CpuPinning.pinThisProcess(study.places().loadCpus());
            StudyProgress progress = StudyProgress.here();
            progress.say("Results: " + folder);
            List<PartResult> parts = new OverloadRun(study, folder, progress).run();
            OverloadVerdict verdict = OverloadVerdict.of(parts);
            progress.say("The page: " + OverloadReport.write(folder, study, parts, verdict));
            progress.say(verdict.sentence());
            return verdict.kept() ? 0 : 1;
        } catch (WrongSetting e) {
            System.err.println("carillon lab overload: " + e.getMessage());
            return 2;
        } catch (IOException e) {
            System.err.println("carillon lab overload: " + e.getMessage());
            return 1;
        }
    }

    private OverloadStudy asked() throws IOException, WrongSetting {
        return lengths.study(what, places);
    }
}
