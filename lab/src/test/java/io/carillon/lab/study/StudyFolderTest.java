package io.carillon.lab.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.WrongSetting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A study that was interrupted goes on where it was. */
class StudyFolderTest {
    @TempDir private Path folder;

    @Test
    void whatWasAskedForAndWhatIsDoneComeBackAsTheyWere() throws Exception {
        StudyFolder before = new StudyFolder(folder);
        JvmStudy study = SampleResults.study(List.of("serial", "g1", "zgc"));
        SettingResult serial = SampleResults.result("serial", 1000, 12, 30, 250);
        SettingResult g1 = SettingResult.failed("g1", List.of("-XX:+UseG1GC"), "no such option");
        before.begin(study);
        before.done(serial);
        before.done(g1);

        StudyFolder after = new StudyFolder(folder);

        assertThat(after.study()).isEqualTo(study);
        assertThat(after.results(study)).containsExactly(serial, g1);
        assertThat(after.result("zgc")).isEmpty();
    }

    @Test
    void aCheckCountsForTheSettingThatItWasMadeFor() throws IOException {
        StudyFolder studies = new StudyFolder(folder);
        assertThat(studies.check("g1")).isEmpty();
        studies.checked(SampleResults.result("g1", 1000, 12, 30, 250));

        assertThat(studies.check("g1")).isPresent();
        assertThat(studies.check("zgc")).isEmpty();
        assertThat(studies.check(null)).isEmpty();
    }

    @Test
    void aResultThatWasOnlyHalfWrittenIsNotThere() throws Exception {
        Files.writeString(folder.resolve("setting-zgc.json.part"), "{\"name\":");

        assertThat(new StudyFolder(folder).result("zgc")).isEmpty();
    }

    @Test
    void logsOfAnInterruptedRunStayAsideAndAreNotWrittenOver() throws IOException {
        StudyFolder studies = new StudyFolder(folder);

        assertThat(studies.logs("zgc")).isEqualTo(folder.resolve("zgc"));
        assertThat(studies.logs("zgc")).isEqualTo(folder.resolve("zgc-again-1"));
        assertThat(studies.logs("zgc")).isEqualTo(folder.resolve("zgc-again-2"));
    }

    @Test
    void aFolderWithoutAStudyIsAnErrorOfOneLine() {
        assertThatExceptionOfType(WrongSetting.class)
                .isThrownBy(() -> new StudyFolder(folder).study())
                .withMessageContaining("holds no study");
    }

    @Test
    void aDamagedFileIsNamed() throws IOException {
        Files.writeString(folder.resolve("study.json"), "{");

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> new StudyFolder(folder).study())
                .withMessageContaining("study.json cannot be read");
    }

    @Test
    void anUsedFolderIsNotTakenForANewStudy() throws IOException {
        Files.writeString(folder.resolve("study.json"), "{}");

        assertThatExceptionOfType(WrongSetting.class)
                .isThrownBy(() -> Folders.results(folder.toString(), "lab", "jvm"))
                .withMessageContaining("is not empty");
    }
}
