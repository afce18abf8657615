package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Nothing that a peer can make grow is forgotten: every field of our sources that may grow stands
 * in {@code growing-fields.txt}, with its row in docs/guides/security.md or the reason why no peer
 * can fill it.
 */
class InventoryTest {
    private static final Path ROOT = Path.of("..");
    private static final List<String> MODULES =
            List.of(
                    "sip",
                    "net",
                    "container",
                    "grid",
                    "protection",
                    "telemetry",
                    "server",
                    "pojo",
                    "web-starter",
                    "spring-boot-starter",
                    "bridge-mobicents",
                    "examples");

    /**
     * A line of the list.
     *
     * @param field or all below a class or package, with a star at its end
     * @param row of the table; empty where there is a reason why it needs none
     */
    private record Line(String field, String row) {
        boolean covers(String name) {
            return field.endsWith("*")
                    ? name.startsWith(field.substring(0, field.length() - 1))
                    : name.equals(field);
        }
    }

    private static List<Line> lines() throws IOException {
        try (InputStream list = InventoryTest.class.getResourceAsStream("growing-fields.txt")) {
            String text =
                    new String(Objects.requireNonNull(list).readAllBytes(), StandardCharsets.UTF_8);
            return text.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(InventoryTest::line)
                    .toList();
        }
    }

    private static Line line(String text) {
        String[] parts = text.split(" [=-] ", 2);
        assertThat(parts).as(text).hasSize(2);
        assertThat(parts[1]).as(text).isNotBlank();
        return new Line(parts[0], text.startsWith(parts[0] + " = ") ? parts[1] : "");
    }

    private static Set<String> fields() throws IOException {
        List<Path> folders = new ArrayList<>();
        for (String module : MODULES) {
            try (Stream<Path> all = Files.walk(ROOT.resolve(module), 6)) {
                all.filter(path -> path.endsWith(Path.of("src", "main", "java")))
                        .forEach(folders::add);
            }
        }
        return GrowingFields.in(folders);
    }

    @Test
    void everyFieldThatMayGrowHasARowOrAReasonAndNoLineIsLeftOver() throws IOException {
        List<Line> lines = lines();
        Set<Line> used = new HashSet<>();
        Set<String> unknown = new TreeSet<>();
        for (String field : fields()) {
            List<Line> covering = lines.stream().filter(line -> line.covers(field)).toList();
            used.addAll(covering);
            if (covering.isEmpty()) {
                unknown.add(field);
            }
        }
        assertThat(unknown)
                .as("fields that may grow: what bounds them? (growing-fields.txt)")
                .isEmpty();
        assertThat(lines).as("lines whose field is gone").allMatch(used::contains);
    }

    @Test
    void theRowsThatFieldsNameAreThere() throws IOException {
        Set<String> rows =
                SecurityPage.waiting().stream()
                        .map(SecurityPage.Row::what)
                        .collect(Collectors.toSet());
        assertThat(lines())
                .allSatisfy(line -> {
                    if (!line.row().isEmpty()) {
                        assertThat(rows).as(line.field()).contains(line.row());
                    }
                });
    }
}
