package io.carillon.it.upgrade;

import java.nio.file.Path;
import java.util.List;

/**
 * A build of Carillon that nodes run.
 *
 * @param name one word
 * @param checkout its folder, with the launcher
 * @param jvm options of its JVM
 */
record Build(String name, Path checkout, List<String> jvm) {
    Build {
        jvm = List.copyOf(jvm);
    }
}
