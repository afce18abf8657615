package io.carillon.server.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProjectFinderTest {
    @TempDir private Path parent = Path.of("");
    private Path folder = Path.of("");

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createDirectory(parent.resolve("shop"));
    }

    private void file(String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private void pom(String more) throws IOException {
        file("pom.xml", "<project><artifactId>shop</artifactId>" + more + "</project>");
    }

    @Test
    void aMavenProjectHasTheNameOfItsArchiveAndTheFoldersOfMaven() throws IOException {
        pom("<version>2</version><packaging>war</packaging>");
        file("src/main/java/Shop.java", "");
        file("src/main/resources/a.txt", "");
        file("src/main/webapp/WEB-INF/sip.xml", "");
        file("target/generated-sources/parser/P.java", "");

        Project project = ProjectFinder.of(folder, true);

        assertThat(project.name()).isEqualTo("shop-2");
        assertThat(project.sources())
                .containsExactly(
                        folder.resolve("src/main/java"),
                        folder.resolve("target/generated-sources/parser"));
        assertThat(project.web()).isEqualTo(folder.resolve("src/main/webapp"));
        assertThat(project.watched()).contains(folder.resolve("pom.xml"));
    }

    @Test
    void withoutACompilerAMavenProjectGivesItsClasses() throws IOException {
        pom("<version>2</version>");
        file("src/main/java/Shop.java", "");

        Project project = ProjectFinder.of(folder, false);

        assertThat(project.sources()).isEmpty();
        assertThat(project.classes()).containsExactly(folder.resolve("target/classes"));
    }

    @Test
    void sourcesClassesAndUnpackedArchivesAreToldApart() throws IOException {
        file("a/Shop.java", "");
        assertThat(ProjectFinder.of(folder, true).sources()).containsExactly(folder);

        file("WEB-INF/sip.xml", "");
        assertThat(ProjectFinder.of(folder, true).web()).isEqualTo(folder);

        Path classes = Files.createDirectory(parent.resolve("classes"));
        Files.writeString(classes.resolve("A.class"), "");
        assertThat(ProjectFinder.of(classes, true).classes()).containsExactly(classes);
    }

    @Test
    void whatCannotBeWatchedIsToldInOneSentenceThatSaysWhatCan() throws IOException {
        assertThatThrownBy(() -> ProjectFinder.of(folder.resolve("none"), true))
                .isInstanceOf(WatchException.class)
                .hasMessageEndingWith("there is no such folder");
        assertThatThrownBy(() -> ProjectFinder.of(folder, true))
                .hasMessageContaining("name the folder of a Maven project, of an unpacked archive");

        file("build.gradle.kts", "");
        assertThatThrownBy(() -> ProjectFinder.of(folder, true))
                .hasMessageContaining("build/classes/java/main");

        pom("<packaging>pom</packaging>");
        assertThatThrownBy(() -> ProjectFinder.of(folder, true))
                .hasMessageContaining("name the folder of the module");

        pom(
                "<build><plugins><plugin><artifactId>spring-boot-maven-plugin</artifactId></plugin>"
                        + "</plugins></build>");
        assertThatThrownBy(() -> ProjectFinder.of(folder, true))
                .hasMessageContaining("Spring Boot application");

        file("pom.xml", "<project>\n<artifactId>");
        assertThatThrownBy(() -> ProjectFinder.of(folder, true))
                .hasMessageContaining("pom.xml:2: ");
    }

    @Test
    void whatAPomDoesNotSayItsParentSays() throws IOException {
        Files.writeString(
                parent.resolve("pom.xml"),
                "<project><artifactId>all</artifactId><version>7</version><properties>"
                        + "<maven.compiler.release>21</maven.compiler.release></properties></project>");
        pom("<parent><artifactId>all</artifactId></parent>");

        Pom pom = Pom.read(folder.resolve("pom.xml"));

        assertThat(pom.release()).isEqualTo("21");
        assertThat(pom.finalName()).isEqualTo("shop-7");
    }
}
