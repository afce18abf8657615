package io.carillon.server.watch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What lies where in a folder that is watched. Immutable.
 *
 * @param name of the archive that is made of it
 * @param folder as its owner named it, absolute
 * @param sources roots of what is compiled; empty: nothing is
 * @param resources roots of files that go beside the classes
 * @param classes roots of classes that somebody else compiles
 * @param web the root of the archive: WEB-INF and pages; null: there is none
 * @param libraries a folder of jars that go into the archive; null: there is none
 * @param maven its Maven project; null: it is none
 */
record Project(
        String name,
        Path folder,
        List<Path> sources,
        List<Path> resources,
        List<Path> classes,
        @Nullable Path web,
        @Nullable Path libraries,
        @Nullable Pom maven) {

    /** What is looked at for changes. */
    List<Path> watched() {
        List<Path> all = new ArrayList<>(sources);
        all.addAll(resources);
        all.addAll(classes);
        if (web != null) {
            all.add(web);
        }
        if (libraries != null) {
            all.add(libraries);
        }
        if (maven != null) {
            all.add(maven.file());
        }
        return all.stream().distinct().toList();
    }

    /** In words, for the terminal. */
    String described() {
        return maven != null
                ? "Maven project " + name
                : !sources.isEmpty()
                        ? "sources of " + name
                        : !classes.isEmpty() ? "classes of " + name : "unpacked archive " + name;
    }
}
