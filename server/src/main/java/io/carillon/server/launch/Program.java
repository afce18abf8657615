package io.carillon.server.launch;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What is started.
 *
 * @param java the folder of the Java that runs it
 * @param home the program's folder
 * @param lib of the libraries
 * @param bridge of other vendors' interfaces; it need not be there
 * @param start where the cache is kept
 */
record Program(Path java, Path home, Path lib, Path bridge, Path start) {
    static final String MAIN = "io.carillon.server.cli.Main";

    /** Is it a distribution, not a clone? */
    boolean packed() {
        return Files.exists(launcher());
    }

    /** A distribution's. */
    Path launcher() {
        return home.resolve("bin/carillon");
    }

    /** As the JVM takes it. */
    String classPath() {
        String path = lib + "/*";
        return Files.isDirectory(bridge) ? path + ":" + bridge + "/*" : path;
    }

    /** Its libraries, by name. */
    List<Path> jars() throws IOException {
        List<Path> jars = new ArrayList<>();
        for (Path folder : List.of(lib, bridge)) {
            if (Files.isDirectory(folder)) {
                try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.jar")) {
                    found.forEach(jars::add);
                }
            }
        }
        jars.sort(null);
        return jars;
    }

    /** The application of a rehearsed start. */
    Path rehearsed() {
        Path packed = home.resolve("examples/b2bua.war");
        return Files.isRegularFile(packed)
                ? packed
                : home.resolve("examples/b2bua/target/b2bua.war");
    }
}
