package io.carillon.lab.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeerInstallTest {
    @TempDir private Path folder;

    private static InputStream zip(String... names) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (String name : names) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write("content".getBytes(StandardCharsets.UTF_8));
            }
        }
        return new ByteArrayInputStream(bytes.toByteArray());
    }

    @Test
    void theArchiveLosesItsFirstFolderAndTomcatsApplications() throws IOException {
        PeerInstall.unpack(
                zip("tomcat-7/bin/bootstrap.jar", "tomcat-7/webapps/docs/index.html"),
                folder.resolve("tomcat"));
        assertThat(folder.resolve("tomcat/bin/bootstrap.jar")).hasContent("content");
        assertThat(folder.resolve("tomcat/webapps")).doesNotExist();
    }

    @Test
    void aFileOutsideOfTheFolderIsRefused() {
        assertThatThrownBy(() -> PeerInstall.unpack(zip("x/../../out"), folder.resolve("in")))
                .hasMessageContaining("outside");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void theProjectNamesExactVersionsAndNothingThatTheyNeed() {
        String pom = PeerPackage.named("restcomm").pom();
        assertThat(pom)
                .contains(
                        "<artifactId>sip-servlets-impl</artifactId><version>3.2.0-37</version>",
                        "<artifactId>jain-sip-ri</artifactId><version>1.3.0-32</version>",
                        "<artifactId>tomcat</artifactId><version>7.0.64</version><type>zip</type>");
        assertThat(pom.split("<dependency>", -1)).hasSameSizeAs(pom.split("<exclusion>", -1));
        assertThat(PeerPackage.named("liberty").pom())
                .contains(
                        "<artifactId>openliberty-runtime</artifactId><version>26.0.0.3</version>");
        assertThat(PeerPackage.named("liberty").archiveFile())
                .isEqualTo("openliberty-runtime-26.0.0.3.zip");
    }

    @Test
    void nothingIsInstalledUnlessItIsThereAsAWhole() {
        PeerInstall install = new PeerInstall(folder);
        assertThat(install.isInstalled(PeerPackage.named("restcomm"))).isFalse();
        assertThat(folder.resolve(".carillon/peers/restcomm/tomcat").toFile().mkdirs()).isTrue();
        assertThat(install.isInstalled(PeerPackage.named("restcomm"))).isTrue();
    }

    @Test
    void noProjectOfCarillonDependsOnAPeer() throws IOException {
        Path root = Path.of("").toAbsolutePath().getParent();
        assertThat(root.resolve("pom.xml")).exists();
        try (Stream<Path> files = Files.walk(root, 3)) {
            assertThat(files.filter(file -> file.endsWith("pom.xml")))
                    .isNotEmpty()
                    .allSatisfy(pom ->
                            assertThat(pom)
                                    .content()
                                    .doesNotContain("sip-servlets-impl")
                                    .doesNotContain("sip-servlets-catalina")
                                    .doesNotContain("openliberty"));
        }
    }
}
