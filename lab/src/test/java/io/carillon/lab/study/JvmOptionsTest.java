package io.carillon.lab.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JvmOptionsTest {
    private static final List<String> SHIPPED =
            List.of(
                    "-XX:+UseG1GC",
                    "-XX:MaxGCPauseMillis=10",
                    "-XX:+UnlockExperimentalVMOptions",
                    "-XX:G1NewSizePercent=1",
                    "-XX:MaxTenuringThreshold=1",
                    "-XX:MaxRAMPercentage=50",
                    "-XX:MetaspaceSize=96m",
                    "-XX:+UseCompactObjectHeaders",
                    "-XX:+ExitOnOutOfMemoryError",
                    "-Dfile.encoding=UTF-8");

    @TempDir private Path folder;

    @Test
    void theSettingsCollectorTakesTheShippedOnesPlaceWithAllItsTuning() throws Exception {
        JvmSetting zgc = JvmSetting.of(List.of("zgc")).getFirst();

        assertThat(JvmOptions.of(SHIPPED, zgc, "1700m"))
                .containsExactly(
                        "-XX:+UnlockExperimentalVMOptions",
                        "-XX:MetaspaceSize=96m",
                        "-XX:+UseCompactObjectHeaders",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-Dfile.encoding=UTF-8",
                        "-XX:+UseZGC",
                        "-Xms1700m",
                        "-Xmx1700m");
    }

    @Test
    void theShippedSettingKeepsEverythingButTheHeap() throws Exception {
        JvmSetting shipped = JvmSetting.of(List.of("shipped")).getFirst();

        assertThat(JvmOptions.of(SHIPPED, shipped, "2g"))
                .contains("-XX:+UseG1GC", "-XX:MaxGCPauseMillis=10", "-Xmx2g")
                .doesNotContain("-XX:MaxRAMPercentage=50");
    }

    @Test
    void compactHeadersAreThereOrNotAsTheSettingSays() throws Exception {
        JvmSetting g1 = JvmSetting.of(List.of("g1")).getFirst();
        JvmSetting wide = g1.withCompactHeaders(false, true);

        assertThat(wide.name()).isEqualTo("g1-wide");
        assertThat(JvmOptions.of(SHIPPED, wide, "1g"))
                .contains("-XX:-UseCompactObjectHeaders")
                .doesNotContain("-XX:+UseCompactObjectHeaders");
        assertThat(wide.withCompactHeaders(true, true)).isEqualTo(wide);
    }

    /**
     * Every built-in setting with the options that are shipped: one collector, as the JVM wants it.
     */
    @Test
    void noSettingHasTwoCollectors() throws Exception {
        List<String> shipped = JvmOptions.read(Path.of("../server/src/main/dist/jvm.options"));
        for (JvmSetting setting : JvmSetting.of(JvmSetting.names())) {
            assertThat(JvmOptions.of(shipped, setting, "1g"))
                    .as(setting.name())
                    .filteredOn(option -> option.matches("-XX:\\+Use\\w*GC"))
                    .hasSize(1);
        }
    }

    @Test
    void commentsAndEmptyLinesAreNoOptions() throws IOException {
        Path file = folder.resolve("jvm.options");
        JvmOptions.write(file, "a comment", List.of("-Xmx1g"));
        Files.writeString(file, Files.readString(file) + "\n  # more\n  -Xms1g \n");

        assertThat(JvmOptions.read(file)).containsExactly("-Xmx1g", "-Xms1g");
    }
}
