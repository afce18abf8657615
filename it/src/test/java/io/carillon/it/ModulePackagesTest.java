package io.carillon.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Packages of a module do not import each other in a circle, in every module of the build: read
 * from the sources, so that modules are looked at which are not on this one's class path.
 */
class ModulePackagesTest {
    private static final Path ROOT = root();
    private static final Pattern MODULE = Pattern.compile("<module>(.*?)</module>");
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\n]*", Pattern.DOTALL);
    private static final Pattern PACKAGE =
            Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);

    /** A qualified name, as in an import: its lower-case words are the package. */
    private static final Pattern NAME = Pattern.compile("\\bio\\.carillon((?:\\.[a-z_]\\w*)*)");

    private static Path root() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.exists(at.resolve("docs/architecture.md"))) {
            at = at.getParent();
        }
        return at;
    }

    static List<String> modules() throws IOException {
        List<String> all = new ArrayList<>();
        Matcher named = MODULE.matcher(Files.readString(ROOT.resolve("pom.xml")));
        while (named.find()) {
            all.add(named.group(1));
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("modules")
    void packagesDoNotImportEachOtherInACircle(String module) throws IOException {
        Set<String> circle = circle(imports(ROOT.resolve(module)));
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
    private static Map<String, Set<String>> imports(Path module) throws IOException {
        Map<String, Set<String>> all = new TreeMap<>();
        for (Path file : sources(module)) {
            String text = COMMENT.matcher(Files.readString(file)).replaceAll(" ");
            Matcher own = PACKAGE.matcher(text);
            if (own.find()) {
                Set<String> named = all.computeIfAbsent(own.group(1), name -> new TreeSet<>());
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

    private static List<Path> sources(Path module) throws IOException {
        Path own = module.resolve("src/main/java");
        // The examples are a folder of small modules.
        try (Stream<Path> files = Files.walk(Files.isDirectory(own) ? own : module)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().contains("/src/main/java/"))
                    .toList();
        }
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
