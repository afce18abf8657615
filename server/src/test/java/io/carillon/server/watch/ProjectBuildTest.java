package io.carillon.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProjectBuildTest {
    @TempDir private Path folder = Path.of("");

    private void file(String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private ProjectBuild build() throws IOException {
        ProjectBuild build = new ProjectBuild(new Wanted(folder, true, List.of(), List.of(), null));
        build.resolve();
        return build;
    }

    private static Set<String> files(ProjectBuild.Built built) throws IOException {
        Path archive = Objects.requireNonNull(built.archive());
        Set<String> files = new TreeSet<>();
        try (Stream<Path> all = Files.walk(archive)) {
            all.filter(Files::isRegularFile)
                    .forEach(file -> files.add(archive.relativize(file).toString()));
        }
        return files;
    }

    @Test
    void sourcesBecomeAnArchiveWithTheirFilesLibrariesAndDescriptor() throws IOException {
        file("shop/Shop.java", "package shop; public class Shop {}");
        file("shop/texts.properties", "a=b");
        file("sip.xml", "<sip-app/>");
        Files.createDirectories(folder.resolve("lib"));
        new JarOutputStream(Files.newOutputStream(folder.resolve("lib/other.jar")), new Manifest())
                .close();
        file(".idea/workspace.xml", "");

        try (ProjectBuild build = build()) {
            assertThat(files(build.build()))
                    .containsExactly(
                            "WEB-INF/classes/shop/Shop.class",
                            "WEB-INF/classes/shop/texts.properties",
                            "WEB-INF/lib/other.jar",
                            "WEB-INF/sip.xml");
        }
    }

    @Test
    void anUnpackedArchiveIsTakenAsItIsAndItsSourcesAreCompiled() throws IOException {
        file("Shop.java", "public class Shop {}");
        file("index.html", "");
        file("WEB-INF/sip.xml", "<sip-app/>");
        file("WEB-INF/classes/Other.class", "");

        try (ProjectBuild build = build()) {
            assertThat(files(build.build()))
                    .containsExactly(
                            "WEB-INF/classes/Other.class",
                            "WEB-INF/classes/Shop.class",
                            "WEB-INF/sip.xml",
                            "index.html");
        }
    }

    @Test
    void theServletInterfacesAreThere() throws IOException {
        file("Shop.java", "public class Shop extends javax.servlet.sip.SipServlet {}");

        try (ProjectBuild build = build()) {
            assertThat(build.build().problems()).isEmpty();
        }
    }

    @Test
    void anErrorHasFileLineAndMarkAndMakesNoArchive() throws IOException {
        file("Shop.java", "public class Shop {\n    int a = \"no\";\n}\n");

        try (ProjectBuild build = build()) {
            ProjectBuild.Built built = build.build();

            assertThat(built.archive()).isNull();
            assertThat(built.problems()).hasSize(1);
            assertThat(built.problems().getFirst().text())
                    .isEqualTo(
                            folder.toRealPath().resolve("Shop.java")
                                    + ":2: error: incompatible types: java.lang.String cannot be converted to"
                                    + " int\n        int a = \"no\";\n                ^");
        }
    }

    @Test
    void aLibraryThatCannotBeReadIsAnErrorThatNamesIt() throws IOException {
        file("Shop.java", "public class Shop {}");
        file("lib/broken.jar", "");

        try (ProjectBuild build = build()) {
            ProjectBuild.Built built = build.build();

            assertThat(built.archive()).isNull();
            assertThat(built.problems().getFirst().text()).contains("broken.jar");
        }
    }

    @Test
    void aSourceThatIsGoneLeavesNoClass() throws IOException {
        file("A.java", "class A {}");
        file("B.java", "class B {}");

        try (ProjectBuild build = build()) {
            assertThat(files(build.build())).hasSize(2);
            Files.delete(folder.resolve("B.java"));
            assertThat(files(build.build())).containsExactly("WEB-INF/classes/A.class");
        }
    }

    @Test
    void whatWasMadeIsGoneAtTheEnd() throws IOException {
        file("A.java", "class A {}");
        Path archive;
        try (ProjectBuild build = build()) {
            archive = Objects.requireNonNull(build.build().archive());
        }
        assertThat(archive).doesNotExist();
    }

    @Test
    void changesAreNewOtherAndMissingFilesButNoneOfEditors() throws IOException {
        file("a", "1");
        file("b", "1");
        FileMarks before = FileMarks.of(List.of(folder));
        file("a", "12");
        file("c/d", "");
        file(".git/x", "");
        file("e~", "");
        file("a___jb_tmp___", "");
        Files.delete(folder.resolve("b"));

        assertThat(FileMarks.of(List.of(folder)).changedSince(before))
                .containsExactly(folder.resolve("a"), folder.resolve("b"), folder.resolve("c/d"));
    }
}
