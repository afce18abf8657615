package io.carillon.lab.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.carillon.lab.process.WrongSetting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsFileTest {
    @TempDir private Path folder;

    @Test
    void eachLineIsASetting() throws Exception {
        List<JvmSetting> settings =
                SettingsFile.parse(
                        List.of(
                                "# ours",
                                "",
                                "zgc-soft = -XX:+UseZGC  -XX:SoftMaxHeapSize=1g",
                                "small=-XX:+UseSerialGC -Xmn8m"),
                        "f");

        assertThat(settings)
                .containsExactly(
                        new JvmSetting(
                                "zgc-soft", List.of("-XX:+UseZGC", "-XX:SoftMaxHeapSize=1g")),
                        new JvmSetting("small", List.of("-XX:+UseSerialGC", "-Xmn8m")));
    }

    @Test
    void aFaultIsToldWithFileLineAndWhatIsAllowed() {
        refused("-XX:+UseZGC", "f:2: a line is NAME = OPTION OPTION");
        refused("Big = -XX:+UseZGC", "f:2: a line is NAME = OPTION OPTION");
        refused("../up = -XX:+UseZGC", "f:2: a line is NAME");
        refused("a = UseZGC", "f:2: 'UseZGC' is no JVM option; one begins with -");
        refused("a = -Xmn8m", "f:2: a setting names one collector (-XX:+UseSerialGC, ");
        refused("a = -XX:+UseZGC -XX:+UseG1GC", "ShenandoahGC), this one 2");
        refused("a = -XX:+UseZGC -Xmx1g", "f:2: -Xmx1g would meet the heap that --heap gives");
        refused("g1 = -XX:+UseG1GC", "f:2: there is a setting 'g1' already");
    }

    private static void refused(String line, String message) {
        assertThatExceptionOfType(WrongSetting.class)
                .isThrownBy(() -> SettingsFile.parse(List.of("# first", line), "f"))
                .withMessageContaining(message);
    }

    @Test
    void anEmptyOrMissingOrBinaryFileIsAnErrorOfOneLine() throws IOException {
        Path none = folder.resolve("none.txt");
        Path binary = folder.resolve("binary");
        Files.write(binary, new byte[] {(byte) 0xc3, (byte) 0x28});

        assertThatExceptionOfType(WrongSetting.class)
                .isThrownBy(() -> SettingsFile.parse(List.of("#"), "f"))
                .withMessageContaining("f: no setting in it");
        assertThatExceptionOfType(WrongSetting.class)
                .isThrownBy(() -> SettingsFile.read(none))
                .withMessageContaining("does not exist");
        assertThatExceptionOfType(WrongSetting.class)
                .isThrownBy(() -> SettingsFile.read(binary))
                .withMessageContaining("no text");
    }

    @Test
    void anUnknownNameIsToldWithThoseThereAre() {
        assertThatExceptionOfType(WrongSetting.class)
                .isThrownBy(() -> JvmSetting.of(List.of("g1", "cms")))
                .withMessage(
                        "there is no setting 'cms'; there are: shipped, serial, parallel, g1, g1-tuned, zgc,"
                                + " shenandoah, serial-small, parallel-small");
    }
}
