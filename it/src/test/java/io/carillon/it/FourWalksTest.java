package io.carillon.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The walks in docs/how-it-works/architecture.md name a file for each hop, and each of them is
 * there.
 */
class FourWalksTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final int LEAST_HOPS = 8;
    private static final Pattern HOP =
            Pattern.compile(
                    "\\| \\d+ \\| `([a-z-]+)` \\[([^]]+)]\\((?:\\.\\./)+([^)]+\\.java)\\) \\|.*");

    /** Files named in code within the text of a hop, as in {@code dispatch/InDialogRequests}. */
    private static final Pattern BESIDE = Pattern.compile("`([a-z0-9/]+/[A-Z]\\w+)`");

    @ParameterizedTest
    @ValueSource(strings = {"An INVITE", "A 200 to it", "A timer", "A configuration key"})
    void eachHopHasItsFile(String walk) throws Exception {
        List<String> lines = Files.readAllLines(DOCS.resolve("how-it-works/architecture.md"));
        List<String> hops =
                lines.stream()
                        .dropWhile(line -> !line.startsWith("#### " + walk))
                        .skip(1)
                        .takeWhile(line -> !line.startsWith("#"))
                        .filter(line -> line.startsWith("| ") && !line.startsWith("| Hop "))
                        .filter(line -> !line.startsWith("| ---"))
                        .toList();

        assertThat(hops).hasSizeGreaterThanOrEqualTo(LEAST_HOPS);
        for (String hop : hops) {
            Matcher named = HOP.matcher(hop);
            assertThat(named.matches()).as("no file in: " + hop).isTrue();
            String module = named.group(1);
            Path file = DOCS.resolve("..").resolve(named.group(3));
            assertThat(file).as(hop).isRegularFile();
            assertThat(named.group(3))
                    .as(hop)
                    .startsWith(module + "/src/main/java/")
                    .endsWith("/" + named.group(2) + ".java");
            Matcher beside = BESIDE.matcher(hop);
            while (beside.find()) {
                String name = beside.group(1);
                try (var all = Files.walk(DOCS.resolve("..").resolve(module + "/src/main/java"))) {
                    assertThat(all.anyMatch(path -> path.endsWith(name + ".java")))
                            .as(name + " in: " + hop)
                            .isTrue();
                }
            }
        }
    }
}
