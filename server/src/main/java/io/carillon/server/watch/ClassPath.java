package io.carillon.server.watch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a project is compiled and run with. Immutable.
 *
 * @param compile jars and folders for the compiler
 * @param packed jars and folders that go into the archive
 */
record ClassPath(List<Path> compile, List<Path> packed) {
    ClassPath {
        compile = List.copyOf(compile);
        packed = List.copyOf(packed);
    }

    /** Another one with more for the compiler. */
    ClassPath with(List<Path> more) {
        List<Path> all = new ArrayList<>(compile);
        all.addAll(more);
        return new ClassPath(all, packed);
    }
}
