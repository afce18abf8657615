package io.carillon.servlet.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArchiveTest {
    @TempDir Path folder;
    private Path work;

    @BeforeEach
    void workFolder() {
        work = folder.resolve("work");
    }

    private TestArchive archive() {
        return new TestArchive(folder).sipXml("<sip-app/>");
    }

    private void nothingIsLeftBehind() throws IOException {
        try (Stream<Path> left = Files.list(work)) {
            assertThat(left).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.war", "a.sar", "A.WAR"})
    void warAndSarAreUnpackedAndRemovedAtTheEnd(String name) throws Exception {
        Archive archive =
                Archive.open(
                        archive().file("x/y.txt", "hello").write(name),
                        work,
                        ArchiveLimits.DEFAULT,
                        false);
        assertThat(archive.label()).isEqualTo(name);
        assertThat(archive.baseName()).isEqualToIgnoringCase("a");
        assertThat(archive.root().resolve("x/y.txt")).hasContent("hello");
        assertThat(archive.tempFolder()).isDirectory();
        archive.close();
        nothingIsLeftBehind();
    }

    @Test
    void anExplodedFolderIsUsedWhereItLiesAndStays() throws Exception {
        Path exploded = archive().explode("my-app");
        Archive archive = Archive.open(exploded, work, ArchiveLimits.DEFAULT, false);
        assertThat(archive.root()).isEqualTo(exploded);
        assertThat(archive.baseName()).isEqualTo("my-app");
        archive.close();
        assertThat(exploded.resolve("WEB-INF/sip.xml")).exists();
        nothingIsLeftBehind();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../evil.txt",
                "WEB-INF/../../evil.txt",
                "/etc/evil.txt",
                "..\\evil.txt",
                "WEB-INF/classes/../sip.xml"
            })
    void anEntryThatLeadsOutOfTheArchiveIsRefused(String entry) throws Exception {
        Path war = archive().file(entry, "evil").write("slip.war");
        assertThatThrownBy(() -> Archive.open(war, work, ArchiveLimits.DEFAULT, false))
                .isInstanceOf(DeploymentException.class)
                .hasMessage("slip.war: entry " + entry + ": leads out of the archive");
        assertThat(folder.resolve("evil.txt")).doesNotExist();
        nothingIsLeftBehind();
    }

    @Test
    void sizesAreBoundedByWhatComesOut() throws Exception {
        Path war = archive().file("big", new byte[100_000]).write("big.war");
        assertThatThrownBy(() ->
                        Archive.open(war, work, new ArchiveLimits(10, 50_000, 1_000_000), false))
                .hasMessage(
                        "big.war: entry big: is too large: at most 50000 bytes a file and 1000000 in all");
        assertThatThrownBy(() ->
                        Archive.open(war, work, new ArchiveLimits(1, 500_000, 1_000_000), false))
                .hasMessage("big.war: has more than 1 entries");
        nothingIsLeftBehind();
    }

    @Test
    void brokenArchives() throws Exception {
        Path text = Files.writeString(folder.resolve("text.war"), "this is no archive");
        assertThatThrownBy(() -> Archive.open(text, work, ArchiveLimits.DEFAULT, false))
                .isInstanceOf(DeploymentException.class)
                .hasMessageStartingWith("text.war: broken archive, ");
        Path empty = Files.createFile(folder.resolve("empty.war"));
        assertThatThrownBy(() -> Archive.open(empty, work, ArchiveLimits.DEFAULT, false))
                .hasMessageStartingWith("empty.war: broken archive, ");
        byte[] whole = Files.readAllBytes(archive().file("x", new byte[5000]).write("whole.war"));
        Path cut = Files.write(folder.resolve("cut.war"), Arrays.copyOf(whole, whole.length / 2));
        assertThatThrownBy(() -> Archive.open(cut, work, ArchiveLimits.DEFAULT, false))
                .hasMessageStartingWith("cut.war: broken archive, ");
        nothingIsLeftBehind();
    }

    @Test
    void whatIsNoApplication() throws Exception {
        Path missing = folder.resolve("none.war");
        assertThatThrownBy(() -> Archive.open(missing, work, ArchiveLimits.DEFAULT, false))
                .hasMessage(missing + ": there is no such file or folder");
        Path other = Files.createFile(folder.resolve("x.zip"));
        assertThatThrownBy(() -> Archive.open(other, work, ArchiveLimits.DEFAULT, false))
                .hasMessage(
                        "x.zip: an application is a .war or .sar file, or a folder with WEB-INF inside");
        Path bare = new TestArchive(folder).file("index.html", "").write("bare.war");
        assertThatThrownBy(() -> Archive.open(bare, work, ArchiveLimits.DEFAULT, false))
                .hasMessage("bare.war: has no WEB-INF folder");
        nothingIsLeftBehind();
    }
}
