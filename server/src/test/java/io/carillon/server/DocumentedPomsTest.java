package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The poms that pages show have the versions that this build has. */
class DocumentedPomsTest {
    private static final Pattern VERSIONED =
            Pattern.compile("<artifactId>([^<]+)</artifactId>\\s*<version>([^<]+)</version>");

    @ParameterizedTest
    @ValueSource(
            strings = {"guides/deploying.md", "guides/plain-objects.md", "guides/spring-boot.md"})
    void versionsAreThoseOfTheBuild(String page) throws Exception {
        String text = Files.readString(Path.of("..", "docs", page));
        String parent = Files.readString(Path.of("..", "pom.xml"));
        int begin = text.indexOf("<project ");
        Matcher named = VERSIONED.matcher(text.substring(begin, text.indexOf("</project>", begin)));
        int seen = 0;
        while (named.find()) {
            String artifact = named.group(1);
            if (artifact.equals("hello")
                    || artifact.equals("greeting")
                    || artifact.equals("forwarding")) {
                continue; // the reader's own
            }
            seen++;
            assertThat(parent).as(artifact).contains(versionLine(artifact, named.group(2)));
        }
        assertThat(seen).isGreaterThanOrEqualTo(3);
    }

    private static String versionLine(String artifact, String version) {
        if (artifact.startsWith("carillon-")) {
            return "<artifactId>carillon-parent</artifactId>\n  <version>" + version + "</version>";
        }
        String property =
                switch (artifact) {
                    case "junit-jupiter" -> "junit";
                    case "assertj-core" -> "assertj";
                    case "spring-boot-starter-parent" -> "spring-boot";
                    default -> artifact;
                };
        return "<" + property + ".version>" + version + "</" + property + ".version>";
    }
}
