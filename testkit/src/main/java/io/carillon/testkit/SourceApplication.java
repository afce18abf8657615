package io.carillon.testkit;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Makes a deployable folder of an application's sources, as a build would make its archive: {@code
 * java} is compiled into {@code WEB-INF/classes}, {@code webapp} is copied.
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
