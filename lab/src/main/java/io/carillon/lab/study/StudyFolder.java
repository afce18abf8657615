package io.carillon.lab.study;

import io.carillon.lab.process.Json;
import io.carillon.lab.process.WrongSetting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a study leaves: {@code study.json} (what was asked for), a JSON file for each setting that
 * is done, a folder of logs for each setting, and the page. A study that was interrupted is gone on
 * with from here: a setting without its file is measured again.
 */
final class StudyFolder {
    private final Path folder;

    StudyFolder(Path folder) {
        this.folder = folder;
    }

    Path page() {
        return folder.resolve("report.html");
    }

    Path recommendedOptions() {
        return folder.resolve("recommended.jvm.options");
    }

    /** Everything as one file, beside the page. */
    Path raw() {
        return folder.resolve("report.json");
    }

    /** Logs of one setting; empty, for what an interrupted run left there is of no use. */
    Path logs(String setting) throws IOException {
        Path logs = folder.resolve(setting);
        for (int i = 1; Files.exists(logs); i++) {
            logs = folder.resolve(setting + "-again-" + i);
        }
        return Files.createDirectories(logs);
    }

    void begin(JvmStudy study) throws IOException {
        Json.write(studyFile(), study);
    }

    /**
     * What was asked for.
     *
     * @throws WrongSetting when there is no study in the folder
     */
    JvmStudy study() throws IOException, WrongSetting {
        if (!Files.exists(studyFile())) {
            throw new WrongSetting(folder + " holds no study: there is no study.json in it");
        }
        return Json.read(studyFile(), JvmStudy.class);
    }

    /** The recommended setting's second hold. */
    void checked(SettingResult result) throws IOException {
        Json.write(checkFile(), result);
    }

    /** That of this setting, when it was made. */
    Optional<SettingResult> check(@Nullable String setting) throws IOException {
        return Files.exists(checkFile())
                ? Optional.of(Json.read(checkFile(), SettingResult.class))
                        .filter(result -> result.name().equals(setting))
                : Optional.empty();
    }

    private Path checkFile() {
        return folder.resolve("check.json");
    }

    void done(SettingResult result) throws IOException {
        Json.write(resultFile(result.name()), result);
    }

    Optional<SettingResult> result(String setting) throws IOException {
        Path file = resultFile(setting);
        return Files.exists(file)
                ? Optional.of(Json.read(file, SettingResult.class))
                : Optional.empty();
    }

    /** Of all settings that are done, in the study's order. */
    List<SettingResult> results(JvmStudy study) throws IOException {
        List<SettingResult> results = new ArrayList<>();
        for (JvmSetting setting : study.settings()) {
            result(setting.name()).ifPresent(results::add);
        }
        return results;
    }

    private Path studyFile() {
        return folder.resolve("study.json");
    }

    private Path resultFile(String setting) {
        return folder.resolve("setting-" + setting + ".json");
    }

    @Override
    public String toString() {
        return folder.toString();
    }
}
