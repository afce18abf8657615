package io.carillon.server.watch;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's compiler, in this process, so that it is warm from the second time on. All sources are
 * compiled each time: nothing old is left over, and what depends on what need not be known. Owner:
 * one thread.
 */
final class Compiler implements AutoCloseable {
    /** More problems than this help nobody. */
    private static final int MOST_PROBLEMS = 50;

    private final JavaCompiler javac;
    private final List<String> more;
    private @Nullable StandardJavaFileManager files;

    private Compiler(JavaCompiler javac, List<String> more) {
        this.javac = javac;
        this.more = more;
    }

    /**
     * That of the JDK which runs this.
     *
     * @param more options of javac
     * @return null: this Java has none
     */
    static @Nullable Compiler ofThisJava(List<String> more) {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        return javac == null ? null : new Compiler(javac, List.copyOf(more));
    }

    /**
     * What a compilation came to.
     *
     * @param files sources
     * @param done false: no classes were made
     */
    record Outcome(int files, boolean done, List<JavaProblem> problems) {}

    /**
     * Compiles all sources below the roots.
     *
     * @param release which Java the classes are for; null: the one that runs this
     * @param target gets the classes; it is there and empty
     */
    Outcome compile(List<Path> roots, ClassPath classPath, @Nullable String release, Path target)
            throws IOException {
        List<Path> sources = sources(roots);
        if (sources.isEmpty()) {
            return new Outcome(0, true, List.of());
        }
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        StandardJavaFileManager manager = manager();
        manager.setLocationFromPaths(StandardLocation.CLASS_PATH, classPath.compile());
        manager.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(target));
        List<String> options =
                new ArrayList<>(
                        List.of("-g", "-parameters", "-encoding", "UTF-8", "-Xmaxerrs", "50"));
        if (release != null) {
            options.addAll(List.of("--release", release));
        }
        options.addAll(more);
        StringWriter said = new StringWriter();
        boolean done;
        try {
            done =
                    javac.getTask(
                                    said,
                                    manager,
                                    found,
                                    options,
                                    null,
                                    manager.getJavaFileObjectsFromPaths(sources))
                            .call();
        } catch (IllegalArgumentException e) {
            throw new WatchException("the compiler: " + e.getMessage(), e);
        }
        List<JavaProblem> problems = problems(found);
        boolean unexplained = !done && problems.stream().noneMatch(JavaProblem::error);
        if (unexplained) { // about no source, as of a jar that cannot be read
            problems = List.of(new JavaProblem(true, null, 0, 0, reason(said.toString()), ""));
        }
        return new Outcome(sources.size(), done, problems);
    }

    private static String reason(String said) {
        return said.lines()
                .map(line -> line.replaceFirst("^error: ", "").strip())
                .filter(line -> !line.isEmpty())
                .findFirst()
                .orElse("the compiler does not say what");
    }

    /** What it has read of jars it keeps; after this they are read anew. */
    void forget() throws IOException {
        if (files != null) {
            files.close();
            files = null;
        }
    }

    private StandardJavaFileManager manager() {
        StandardJavaFileManager manager = files;
        if (manager == null) {
            manager = javac.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8);
            files = manager;
        }
        return manager;
    }

    private static List<Path> sources(List<Path> roots) throws IOException {
        List<Path> sources = new ArrayList<>();
        for (Path root : roots) {
            try (Stream<Path> all = Files.walk(root)) {
                all.filter(path -> isSource(root.relativize(path).toString()))
                        .sorted()
                        .forEach(sources::add);
            }
        }
        return sources;
    }

    /** Hidden files are what editors keep for themselves. */
    private static boolean isSource(String path) {
        return path.endsWith(".java") && !path.startsWith(".") && !path.contains("/.");
    }

    private static List<JavaProblem> problems(DiagnosticCollector<JavaFileObject> found) {
        return found.getDiagnostics().stream()
                .filter(one -> one.getKind() != Diagnostic.Kind.NOTE)
                .limit(MOST_PROBLEMS)
                .map(Compiler::problem)
                .toList();
    }

    private static JavaProblem problem(Diagnostic<? extends JavaFileObject> one) {
        JavaFileObject source = one.getSource();
        return new JavaProblem(
                one.getKind() == Diagnostic.Kind.ERROR,
                source == null ? null : shown(Path.of(source.toUri())),
                one.getLineNumber(),
                one.getColumnNumber(),
                one.getMessage(Locale.ROOT),
                source == null ? "" : line(source, one.getLineNumber()));
    }

    /** As the terminal's owner would name it, so that a click on it opens the file. */
    private static String shown(Path file) {
        Path here = Path.of("").toAbsolutePath();
        return file.startsWith(here) ? here.relativize(file).toString() : file.toString();
    }

    private static String line(JavaFileObject source, long number) {
        try {
            return source.getCharContent(true)
                    .toString()
                    .lines()
                    .skip(Math.max(0, number - 1))
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            return ""; // it is gone meanwhile: the message stands without its line
        }
    }

    @Override
    public void close() throws IOException {
        forget();
    }
}
