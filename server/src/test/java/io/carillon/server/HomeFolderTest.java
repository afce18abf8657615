package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a user calls the commands that the server names. */
class HomeFolderTest {
    @TempDir private Path folder;

    @Test
    void aCloneHasItsLauncherInItsFolder() {
        assertThat(HomeFolder.of(folder, "").command()).isEqualTo("./carillon");
    }

    @Test
    void anArchiveAndAPackageHaveNone() throws Exception {
        Files.createFile(Files.createDirectories(folder.resolve("bin")).resolve("carillon"));

        assertThat(HomeFolder.of(folder, "").command()).isEqualTo("carillon");
        assertThat(HomeFolder.of(folder, folder.resolve("kept").toString()).command())
                .isEqualTo("carillon");
    }
}
