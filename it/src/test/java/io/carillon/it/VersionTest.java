package io.carillon.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The version of this build is one, wherever it stands. */
class VersionTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Pattern OF_OURS =
            Pattern.compile(
                    "<groupId>io\\.carillon</groupId>\\s*<artifactId>carillon-[\\w-]+</artifactId>\\s*<version>([^<$@]+)</version>");

    @Test
    void modulesArchetypesPagesChartAndChangelogHaveIt() throws IOException {
        Matcher own = OF_OURS.matcher(Files.readString(ROOT.resolve("pom.xml")));
        assertThat(own.find()).isTrue();
        String version = own.group(1);
        int found = 0;
        for (Path file : files()) {
            Matcher named = OF_OURS.matcher(Files.readString(file));
            while (named.find()) {
                assertThat(named.group(1)).as("%s", ROOT.relativize(file)).isEqualTo(version);
                found++;
            }
        }
        assertThat(found).as("places looked at").isGreaterThan(20);
        assertThat(Files.readString(ROOT.resolve("dist/helm/carillon/Chart.yaml")))
                .contains("\nversion: " + version + "\n", "\nappVersion: " + version + "\n");
        assertThat(Files.readString(ROOT.resolve("CHANGELOG.md"))).contains("\n## " + version);
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(ROOT, 4)) {
            return all.filter(VersionTest::isLookedAt).toList();
        }
    }

    private static boolean isLookedAt(Path file) {
        String name = String.valueOf(file.getFileName());
        String path = ROOT.relativize(file).toString();
        return (name.equals("pom.xml") || (path.startsWith("docs/") && name.endsWith(".md")))
                && !path.contains("target/")
                && !path.startsWith(".carillon");
    }
}
