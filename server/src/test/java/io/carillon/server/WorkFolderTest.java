package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkFolderTest {
    @TempDir private Path parent;

    @Test
    void foldersOfDeadProcessesGoThoseOfOthersStay() throws Exception {
        Path living = Files.createDirectory(parent.resolve("1"));
        Files.createDirectories(parent.resolve("4294967295/uas/WEB-INF"));
        Files.createFile(parent.resolve("4294967295/uas/WEB-INF/sip.xml"));

        WorkFolder folder = WorkFolder.open(parent);

        assertThat(parent.resolve("4294967295")).doesNotExist();
        assertThat(living).exists();
        assertThat(folder.path()).isEmptyDirectory();
        Files.createFile(folder.path().resolve("unpacked"));
        folder.close();
        assertThat(folder.path()).doesNotExist();
    }
}
