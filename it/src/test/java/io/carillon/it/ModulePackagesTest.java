package io.carillon.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Packages of a module do not import each other in a circle, in every module of the build: read
 * from the sources, so that modules are looked at which are not on this one's class path.
 */
class ModulePackagesTest {
    /** A qualified name, as in an import: its lower-case words are the package. */
    private static final Pattern NAME = Pattern.compile("\\bio\\.carillon((?:\\.[a-z_]\\w*)*)");

    static List<String> modules() throws IOException {
        return ModuleSources.modules();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void packagesDoNotImportEachOtherInACircle(String module) throws IOException {
        Set<String> circle = circle(imports(module));
        assertThat(circle)
                .as("packages of %s that import each other in a circle", module)
                .isEmpty();
    }

    @Test
    void whatImportsEachOtherIsFound() {
        Map<String, Set<String>> packages = new TreeMap<>();
        packages.put("top", Set.of("a"));
        packages.put("a", Set.of("b", "low"));
        packages.put("b", Set.of("c"));
        packages.put("c", Set.of("a"));
        packages.put("low", Set.of());
        assertThat(circle(packages)).containsExactlyInAnyOrder("a", "b", "c");
        packages.put("c", Set.of("low"));
        assertThat(circle(packages)).isEmpty();
    }

    /** The packages of a module, each with those of the same module that it names. */
    private static Map<String, Set<String>> imports(String module) throws IOException {
        Map<String, Set<String>> all = new TreeMap<>();
        for (String text : ModuleSources.of(module).values()) {
            String own = ModuleSources.packageOf(text);
            if (!own.isEmpty()) {
                Set<String> named = all.computeIfAbsent(own, name -> new TreeSet<>());
                Matcher names = NAME.matcher(text);
                while (names.find()) {
                    named.add("io.carillon" + names.group(1));
                }
            }
        }
        all.forEach((name, named) -> {
            named.retainAll(all.keySet());
            named.remove(name);
        });
        return all;
    }

    /** What is left when packages go that import nobody, or that nobody imports. */
    private static Set<String> circle(Map<String, Set<String>> packages) {
        Map<String, Set<String>> left = new TreeMap<>();
        packages.forEach((name, named) -> left.put(name, new TreeSet<>(named)));
        int before;
        do {
            before = left.size();
            left.values().removeIf(Set::isEmpty);
            left.values().forEach(named -> named.retainAll(left.keySet()));
            Set<String> imported = new TreeSet<>();
            left.values().forEach(imported::addAll);
            left.keySet().retainAll(imported);
        } while (left.size() < before);
        return left.keySet();
    }
}
