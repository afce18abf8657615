package io.carillon.servlet.feature.protect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Each figure stands in the page for operators, and the page names no other. */
class ProtectionFiguresTest {
    private static final Path PAGE = Path.of("..", "docs", "how-it-works/clustering-protection.md");

    @Test
    void thePageNamesEachFigure() throws IOException {
        Set<String> named = new TreeSet<>();
        Matcher names = Pattern.compile("`(protection_\\w+)`").matcher(Files.readString(PAGE));
        while (names.find()) {
            named.add(names.group(1));
        }
        ProtectionStatus status = new Protected().status();
        Set<String> all = new TreeSet<>(status.counters().keySet());
        all.addAll(status.gauges().keySet());
        assertThat(named)
                .isEqualTo(
                        all.stream()
                                .map(name -> name.replace('.', '_'))
                                .collect(Collectors.toCollection(TreeSet::new)));
    }
}
