package io.carillon.lab.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.carillon.lab.process.WrongSetting;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CarillonLaunchTest {
    private static final CarillonLaunch USUAL = CarillonLaunch.of(Path.of("/checkout"), 6000);

    @TempDir private Path folder;

    @Test
    void itIsTheLaunchersCommandPinnedWithArchivesBeforeOptions() {
        ServerProcess.Launch launch =
                USUAL.named("first")
                        .on("0,1")
                        .http(6001)
                        .running(Path.of("/a.war"))
                        .running(Path.of("/b.war"))
                        .with("--router", "/r")
                        .environment("KEY", "value")
                        .launch();

        assertThat(launch.command())
                .containsExactly(
                        "taskset",
                        "-c",
                        "0,1",
                        "/checkout/carillon",
                        "run",
                        "/a.war",
                        "/b.war",
                        "--sip",
                        "udp:127.0.0.1:6000,tcp:127.0.0.1:6000",
                        "--http",
                        "127.0.0.1:6001",
                        "--router",
                        "/r");
        assertThat(launch.name()).isEqualTo("first");
        assertThat(launch.port()).isEqualTo(6000);
        assertThat(launch.environment()).containsEntry("KEY", "value");
        assertThat(USUAL.launch().command())
                .startsWith("/checkout/carillon")
                .endsWith("127.0.0.1:0");
    }

    @Test
    void dataAndControlOfItsOwnAreAFolderThatIsMade() throws IOException {
        Path home = folder.resolve("home");

        assertThat(USUAL.home(home).launch().command())
                .endsWith("--jvm", "-Dcarillon.home=" + home);
        assertThat(home).isDirectory();
    }

    /** The launcher takes JVM options as words. */
    @Test
    void aHomeWithABlankIsRefused() {
        assertThatExceptionOfType(WrongSetting.class)
                .isThrownBy(() -> USUAL.home(folder.resolve("my home")))
                .withMessageContaining("--out");
    }
}
