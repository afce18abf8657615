package io.carillon.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The tools of this project have no users outside of it, so a class of theirs that no command
 * reaches is a left-over, such as a twin of one that took its place. Read from the sources: a class
 * is named by its simple name in its own package, and elsewhere by its package too.
 */
class UnreachedClassesTest {
    private static final List<String> TOOLS = List.of("lab", "bench", "it");

    private static final Pattern START =
            Pattern.compile("public static void main\\(|^\\s*@Benchmark", Pattern.MULTILINE);
    private static final Pattern QUALIFIED = Pattern.compile("\\bio\\.carillon(?:\\.\\w+)+");
    private static final Pattern WORD = Pattern.compile("\\w+");
    private static final Pattern IMPORTED =
            Pattern.compile("^import [\\w.]+\\.(\\w+);", Pattern.MULTILINE);

    @Test
    void aCommandReachesEveryClassOfTheTools() throws IOException {
        Map<String, String> texts = new TreeMap<>();
        for (String module : TOOLS) {
            ModuleSources.of(module)
                    .forEach((file, text) -> texts.put(className(file, text), text));
        }
        assertThat(unreached(texts)).isEmpty();
    }

    @Test
    void aTwinThatOnlyItsOwnPackageMightMeanIsFound() {
        Map<String, String> texts = new TreeMap<>();
        texts.put("io.carillon.a.Main", "import io.carillon.b.Json; public static void main( Run");
        texts.put("io.carillon.a.Run", "import io.carillon.b.Json;\nJson.read()");
        texts.put("io.carillon.a.Json", "class Json { Pair pair; }");
        texts.put("io.carillon.a.Pair", "class Pair { Json json; }");
        texts.put("io.carillon.b.Json", "class Json { Lines lines; }");
        texts.put("io.carillon.b.Lines", "class Lines {}");
        assertThat(unreached(texts)).containsExactly("io.carillon.a.Json", "io.carillon.a.Pair");
    }

    private static String className(Path file, String text) {
        String name = file.getFileName().toString().replace(".java", "");
        return ModuleSources.packageOf(text) + "." + name;
    }

    /** Of the classes with their texts those that nothing names, from what can be started on. */
    private static Set<String> unreached(Map<String, String> texts) {
        Set<String> left = new TreeSet<>(texts.keySet());
        left.removeIf(name -> name.endsWith(".package-info"));
        Deque<String> reached = new ArrayDeque<>();
        for (String name : texts.keySet()) {
            if (START.matcher(texts.get(name)).find() && left.remove(name)) {
                reached.add(name);
            }
        }
        while (!reached.isEmpty()) {
            String from = reached.remove();
            for (String named : named(from, texts.get(from))) {
                if (left.remove(named)) {
                    reached.add(named);
                }
            }
        }
        return left;
    }

    /** What a class may name, whether there is such a class or not. */
    private static Set<String> named(String name, String text) {
        Set<String> all = new HashSet<>();
        Matcher qualified = QUALIFIED.matcher(text);
        while (qualified.find()) {
            String each = qualified.group();
            while (each.indexOf('.') >= 0) {
                all.add(each);
                each = each.substring(0, each.lastIndexOf('.'));
            }
        }
        Set<String> imported = new HashSet<>();
        Matcher imports = IMPORTED.matcher(text);
        while (imports.find()) {
            imported.add(imports.group(1));
        }
        String own = name.substring(0, name.lastIndexOf('.') + 1);
        Matcher words = WORD.matcher(text);
        while (words.find()) {
            if (!imported.contains(words.group())) {
                all.add(own + words.group());
            }
        }
        return all;
    }
}
