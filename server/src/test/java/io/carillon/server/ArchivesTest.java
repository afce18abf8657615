package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.server.start.StartException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchivesTest {
    @TempDir private Path folder;

    @Test
    void archivesAndExplodedApplicationsStandForThemselves() throws Exception {
        Path war = Files.createFile(folder.resolve("a.war"));
        Path exploded = folder.resolve("exploded");
        Files.createDirectories(exploded.resolve("WEB-INF"));

        assertThat(Archives.of(List.of(exploded, war))).containsExactly(exploded, war);
    }

    @Test
    void aFolderStandsForItsArchivesByName() throws Exception {
        Path sar = Files.createFile(folder.resolve("b.sar"));
        Path war = Files.createFile(folder.resolve("a.war"));
        Files.createFile(folder.resolve("notes.txt"));

        assertThat(Archives.of(List.of(folder))).containsExactly(war, sar);
    }

    @Test
    void whatIsNoApplicationIsRefused() throws Exception {
        Path text = Files.createFile(folder.resolve("notes.txt"));

        assertThatThrownBy(() -> Archives.of(List.of(text)))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("a .war, a .sar or a folder");
        assertThatThrownBy(() -> Archives.of(List.of(folder)))
                .hasMessageContaining("neither an application");
        assertThatThrownBy(() -> Archives.of(List.of(folder.resolve("no.war"))))
                .hasMessageContaining("no such file");
    }
}
