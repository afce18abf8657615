package io.carillon.server.watch;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the owner of a folder wants of it. Immutable.
 *
 * @param folder that is watched
 * @param compile false: somebody else compiles
 * @param javac options of the compiler
 * @param classPath more jars and folders for the compiler
 * @param tests which tests follow each change, as surefire's {@code -Dtest} takes it; empty: all;
 *     null: none
 */
public record Wanted(
        Path folder,
        boolean compile,
        List<String> javac,
        List<Path> classPath,
        @Nullable String tests) {
    public Wanted {
        javac = List.copyOf(javac);
        classPath = List.copyOf(classPath);
    }
}
