package io.carillon.testkit;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Makes a deployable folder of an application's sources, as a build would make its archive: {@code
 * java} is compiled into {@code WEB-INF/classes}, {@code resources} and {@code webapp} are copied.
 */
public final class SourceApplication {
    private SourceApplication() {}

    /**
     * Compiles against the class path of the running program.
     *
     * @param main the folder that holds {@code java} and {@code webapp}, as {@code src/main}
     * @param target the folder to make
     * @return target
     * @throws IOException also when the sources do not compile, with the compiler's messages
     */
    public static Path build(Path main, Path target) throws IOException {
        copy(main.resolve("webapp"), target);
        Path classes = Files.createDirectories(target.resolve("WEB-INF/classes"));
        if (Files.isDirectory(main.resolve("resources"))) {
            copy(main.resolve("resources"), classes);
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IOException("this runs on a JRE, which has no compiler");
        }
        List<String> options =
                List.of(
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path", ""),
                        "-d",
                        classes.toString());
        StringWriter said = new StringWriter();
        boolean compiled;
        try (StandardJavaFileManager sources = compiler.getStandardFileManager(null, null, null)) {
            compiled =
                    compiler.getTask(
                                    said,
                                    sources,
                                    null,
                                    options,
                                    null,
                                    sources.getJavaFileObjectsFromPaths(
                                            files(main.resolve("java"))))
                            .call();
        }
        if (!compiled) {
            throw new IOException(main + " does not compile:\n" + said);
        }
        return target;
    }

    /**
     * Adds what the class path of the running program has to {@code WEB-INF/lib}, as a build adds
     * an application's libraries.
     *
     * @param target the folder that {@link #build} made
     * @param wanted chooses entries by their paths; folders of classes become archives
     * @return target
     */
    public static Path addLibraries(Path target, Predicate<Path> wanted) throws IOException {
        Path libraries = Files.createDirectories(target.resolve("WEB-INF/lib"));
        int number = 0;
        for (String entry : System.getProperty("java.class.path", "").split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (Files.isDirectory(path) && wanted.test(path)) {
                archive(path, libraries.resolve("classes" + ++number + ".jar"));
            } else if (Files.isRegularFile(path) && wanted.test(path)) {
                Files.copy(path, libraries.resolve(path.getFileName().toString()));
            }
        }
        return target;
    }

    private static void archive(Path classes, Path jar) throws IOException {
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (Path file : files(classes)) {
                out.putNextEntry(
                        new ZipEntry(classes.relativize(file).toString().replace('\\', '/')));
                Files.copy(file, out);
                out.closeEntry();
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        for (Path file : files(from)) {
            Path copy = to.resolve(from.relativize(file).toString());
            Files.createDirectories(copy.toAbsolutePath().getParent());
            Files.copy(file, copy);
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
