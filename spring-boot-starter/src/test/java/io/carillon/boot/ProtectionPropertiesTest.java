package io.carillon.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.protection.Protections;
import io.carillon.sip.address.AddressRanges;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.util.unit.DataSize;

/** An application of Spring Boot has every limit of a server, and says how each is set. */
class ProtectionPropertiesTest {
    /** Limits that no property of {@link ProtectionProperties} sets, and who does. */
    private static final Map<String, String> ELSEWHERE =
            Map.of(
                    "sessions.max", "carillon.max-sessions",
                    "users.nonces", "beans have no constraints, so there are no nonces",
                    "users.usersRemembered", "the same",
                    "users.lookups", "the same");

    private static ProtectionProperties bound(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("carillon", ProtectionProperties.class);
    }

    private static Protections limits(Map<String, String> properties) {
        return bound(properties).limits(0);
    }

    /** Each limit by its way through the records. */
    private static Map<String, Object> leaves(Record limits) throws Exception {
        Map<String, Object> all = new LinkedHashMap<>();
        for (RecordComponent component : limits.getClass().getRecordComponents()) {
            Object value = component.getAccessor().invoke(limits);
            if (value instanceof Record inner) {
                leaves(inner)
                        .forEach((name, leaf) -> all.put(component.getName() + '.' + name, leaf));
            } else {
                all.put(
                        component.getName(),
                        value instanceof AddressRanges ranges ? ranges.isEmpty() : value);
            }
        }
        return all;
    }

    /** Each property, with another value than its default. */
    private static Map<String, String> others() throws Exception {
        Map<String, String> others = new LinkedHashMap<>();
        ProtectionProperties standard = bound(Map.of());
        for (RecordComponent group : ProtectionProperties.class.getRecordComponents()) {
            Object settings = group.getAccessor().invoke(standard);
            for (RecordComponent one : group.getType().getRecordComponents()) {
                String name = one.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
                others.put(
                        "carillon." + group.getName() + '.' + name,
                        other(one.getAccessor().invoke(settings)));
            }
        }
        return others;
    }

    private static String other(Object value) {
        return switch (value) {
            case Integer number -> Integer.toString(number + 1);
            case DataSize size -> size.toBytes() + 1 + "B";
            case Boolean yes -> Boolean.toString(!yes);
            case List<?> list -> "";
            default -> "77s";
        };
    }

    @Test
    void withoutAnyPropertyTheLimitsAreThoseOfAServer() {
        assertThat(limits(Map.of())).usingRecursiveComparison().isEqualTo(Protections.standard());
    }

    @Test
    void everyLimitHasItsProperty() throws Exception {
        Map<String, Object> standard = leaves(Protections.standard());
        Set<String> moved = new TreeSet<>(ELSEWHERE.keySet());
        for (Map.Entry<String, String> one : others().entrySet()) {
            Map<String, Object> changed = leaves(limits(Map.of(one.getKey(), one.getValue())));
            List<String> by = new ArrayList<>();
            changed.forEach((name, value) -> {
                if (!value.equals(standard.get(name))) {
                    by.add(name);
                }
            });
            assertThat(by).as(one.getKey()).isNotEmpty();
            moved.addAll(by);
        }
        assertThat(moved).containsExactlyInAnyOrderElementsOf(standard.keySet());
        assertThat(bound(Map.of()).limits(77).sessions().max()).isEqualTo(77);
    }

    @Test
    void everyPropertyIsDocumentedAndHasItsMetadata() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "guides/spring-boot.md"));
        String metadata = metadata();
        assertThat(others().keySet())
                .allSatisfy(name -> {
                    assertThat(page).contains("`" + name + "`");
                    assertThat(metadata).contains("\"" + name + "\"");
                });
    }

    private static String metadata() throws IOException {
        try (var file =
                ProtectionProperties.class.getResourceAsStream(
                        "/META-INF/spring-configuration-metadata.json")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aLimitThatIsNoneIsNamed() {
        assertThatThrownBy(() -> limits(Map.of("carillon.sessions.share-per-source", "0")))
                .hasMessageContaining("carillon.sessions.share-per-source");
        assertThatThrownBy(() -> limits(Map.of("carillon.guard.trusted", "10.0.0.0/99")))
                .hasMessageContaining("10.0.0.0/99");
    }
}
