package io.carillon.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The main sources of the build's modules as text without comments: also of modules that are not on
 * this one's class path.
 */
final class ModuleSources {
    private static final Path ROOT = root();
    private static final Pattern MODULE = Pattern.compile("<module>(.*?)</module>");
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\n]*", Pattern.DOTALL);
    private static final Pattern PACKAGE =
            Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);

    private ModuleSources() {}

    private static Path root() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.exists(at.resolve("docs/how-it-works/architecture.md"))) {
            at = at.getParent();
        }
        return at;
    }

    /** All modules of the build. */
    static List<String> modules() throws IOException {
        List<String> all = new ArrayList<>();
        Matcher named = MODULE.matcher(Files.readString(ROOT.resolve("pom.xml")));
        while (named.find()) {
            all.add(named.group(1));
        }
        return all;
    }

    /** The text of each file of a module. */
    static Map<Path, String> of(String module) throws IOException {
        Path folder = ROOT.resolve(module);
        Path own = folder.resolve("src/main/java");
        Map<Path, String> all = new TreeMap<>();
        // The examples are a folder of small modules.
        try (Stream<Path> files = Files.walk(Files.isDirectory(own) ? own : folder)) {
            for (Path file : files.filter(ModuleSources::isMain).toList()) {
                all.put(file, COMMENT.matcher(Files.readString(file)).replaceAll(" "));
            }
        }
        return all;
    }

    private static boolean isMain(Path file) {
        String name = file.toString();
        return name.endsWith(".java") && name.contains("/src/main/java/");
    }

    /** The package that a file says it is in; empty where it says none. */
    static String packageOf(String text) {
        Matcher named = PACKAGE.matcher(text);
        return named.find() ? named.group(1) : "";
    }
}
