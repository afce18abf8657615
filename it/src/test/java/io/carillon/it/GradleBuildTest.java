package io.carillon.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The build file for Gradle in the page says what the archetype's says, as no Gradle runs here. */
class GradleBuildTest {
    private static final Path PAGE = Pages.ROOT.resolve("docs/start/install.md");
    private static final Path POM =
            Pages.ROOT.resolve(
                    "dist/archetypes/sip-servlet/src/main/resources/archetype-resources/pom.xml");
    private static final Pattern BLOCK = Pattern.compile("(?s)```kotlin\n(.*?)```");
    private static final Pattern DEPENDENCY =
            Pattern.compile("(\\w+)\\((?:platform\\()?\"([^\":/]+:[^\":/]+)(?::([^\"]+))?\"");
    private static final Pattern MAVENS =
            Pattern.compile(
                    "(?s)<dependency>\\s*<groupId>([^<]+)</groupId>\\s*<artifactId>([^<]+)</artifactId>(.*?)</dependency>");

    /** Gradle asks for the launcher by name; Maven's Surefire brings it along. */
    private static final String LAUNCHER = "org.junit.platform:junit-platform-launcher";

    private static String build() throws IOException {
        Matcher block = BLOCK.matcher(Files.readString(PAGE));
        assertThat(block.find()).as("a build file in %s", PAGE).isTrue();
        return block.group(1);
    }

    /** Coordinates with what they are for and their version. */
    private static Map<String, String> gradles(String build) {
        Map<String, String> found = new TreeMap<>();
        Matcher dependency = DEPENDENCY.matcher(build);
        while (dependency.find()) {
            String version = dependency.group(3) == null ? "" : dependency.group(3);
            found.put(dependency.group(2), dependency.group(1) + " " + version);
        }
        return found;
    }

    private static Map<String, String> mavens(String pom) {
        Map<String, String> found = new TreeMap<>();
        Matcher dependency = MAVENS.matcher(pom);
        while (dependency.find()) {
            String rest = dependency.group(3);
            String configuration =
                    rest.contains("<scope>provided") ? "providedCompile" : "testImplementation";
            String version = rest.replaceAll("(?s).*<version>([^<]+)</version>.*", "$1");
            version = version.equals(rest) ? "" : version;
            version = version.equals("${carillon.version}") ? "VERSION" : version;
            found.put(
                    dependency.group(1) + ":" + dependency.group(2), configuration + " " + version);
        }
        return found;
    }

    @Test
    void itHasTheDependenciesOfTheArchetype() throws IOException {
        Map<String, String> gradles = gradles(build());
        assertThat(gradles.remove(LAUNCHER)).isEqualTo("testRuntimeOnly ");

        assertThat(gradles).isEqualTo(mavens(Files.readString(POM)));
    }

    @Test
    void itTestsAsTheArchetypeDoes() throws IOException {
        String build = build();
        String pom = Files.readString(POM);

        Matcher release = Pattern.compile("<maven.compiler.release>(\\d+)<").matcher(pom);
        assertThat(release.find()).isTrue();
        assertThat(build).contains("JavaLanguageVersion.of(" + release.group(1) + ")");
        Matcher options = Pattern.compile("<argLine>([^<]+)</argLine>").matcher(pom);
        assertThat(options.find()).isTrue();
        for (String option : options.group(1).split(" ", -1)) {
            assertThat(build).contains('"' + option + '"');
        }
        assertThat(build).contains("plugins { war }", "useJUnitPlatform()");
    }

    @Test
    void itsBracketsAndQuotesClose() throws IOException {
        String build = build();
        assertThat(build.chars().filter(c -> c == '"').count() % 2).isZero();
        String code = build.replaceAll("\"[^\"\n]*\"", "");
        int open = 0;
        for (char c : code.toCharArray()) {
            open += c == '{' || c == '(' ? 1 : c == '}' || c == ')' ? -1 : 0;
            assertThat(open).isNotNegative();
        }
        assertThat(open).isZero();
    }
}
