package io.carillon.lab.study;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Measures the settings of a study one after the other, and writes the page anew after each. Used
 * by one thread.
 */
final class JvmRun {
    private final JvmStudy study;
    private final StudyFolder folder;
    private final StudyProgress progress;
    private final List<String> shipped;
    private final Thread hint;

    JvmRun(JvmStudy study, StudyFolder folder, StudyProgress progress) throws IOException {
        this.study = study;
        this.folder = folder;
        this.progress = progress;
        this.shipped = JvmOptions.read(Folders.jvmOptions());
        this.hint = Thread.ofPlatform().unstarted(this::sayHowToGoOn);
    }

    private void sayHowToGoOn() {
        System.err.println("\nInterrupted. Go on with: ./carillon lab jvm --resume " + folder);
    }

    /** True when every setting could be measured. */
    boolean run(boolean check) throws IOException {
        Runtime.getRuntime().addShutdownHook(hint);
        CpuPinning.pinThisProcess(study.loadCpus());
        progress.say("Results: " + folder);
        int number = 0;
        for (JvmSetting setting : study.settings()) {
            number++;
            if (folder.result(setting.name()).isPresent()) {
                continue;
            }
            int left = study.settings().size() - number + 1;
            String part = "[" + number + "/" + study.settings().size() + " " + setting.name() + "]";
            progress.part(part, left * study.secondsPerSetting());
            folder.done(measure(setting));
            report();
        }
        if (check) {
            check();
        }
        List<SettingResult> results = report();
        Runtime.getRuntime().removeShutdownHook(hint);
        progress.part("", 0);
        for (SettingResult result : results) {
            progress.say(line(result));
        }
        progress.say(Recommendation.of(results).reason());
        progress.say("The page: " + folder.page());
        return results.stream().allMatch(r -> r.failure().isEmpty())
                && folder.check(recommended(results)).map(r -> r.rate() > 0).orElse(true);
    }

    private static String line(SettingResult result) {
        HoldFigures figures = result.figures();
        if (figures == null) {
            return "%-20s failed: %s".formatted(result.name(), result.failure());
        }
        return "%-20s %,6d calls/s  %6.0f us/call  p99 %7.1f ms  longest pause %7.2f ms  collector %4.1f %% of CPU"
                .formatted(
                        result.name(),
                        result.rate(),
                        figures.cpuMicrosPerCall(),
                        figures.p99Millis(),
                        figures.gc().maxPauseMillis(),
                        figures.collectorCpu() * 100);
    }

    private SettingResult measure(JvmSetting setting) throws IOException {
        return run(setting, setting.name()).measure();
    }

    private SettingRun run(JvmSetting setting, String logs) throws IOException {
        List<String> options = JvmOptions.of(shipped, setting, study.heap());
        Path own = folder.logs(logs);
        return new SettingRun(study, setting, options, own, progress);
    }

    private static @Nullable String recommended(List<SettingResult> results) {
        return Recommendation.of(results).setting();
    }

    /** The recommended setting, started anew, at the rate that it held. */
    private void check() throws IOException {
        String name = recommended(folder.results(study));
        for (JvmSetting setting : study.settings()) {
            if (setting.name().equals(name) && folder.check(name).isEmpty()) {
                int rate = folder.result(setting.name()).orElseThrow().rate();
                progress.part("[check " + name + "]", study.secondsPerSetting() / 2);
                folder.checked(run(setting, "check-" + name).check(rate));
            }
        }
    }

    private List<SettingResult> report() throws IOException {
        List<SettingResult> results = folder.results(study);
        Recommendation recommendation = Recommendation.of(results);
        for (SettingResult result : results) {
            if (result.name().equals(recommendation.setting())) {
                JvmOptions.write(
                        folder.recommendedOptions(),
                        "JVM options found by a study: ./carillon run --jvm-options THIS-FILE",
                        result.options());
            }
        }
        JvmReport.Content content =
                new JvmReport.Content(
                        study,
                        results,
                        recommendation,
                        folder.check(recommendation.setting()).orElse(null));
        Json.write(folder.raw(), content);
        JvmReport.write(content, folder.page());
        return results;
    }
}
