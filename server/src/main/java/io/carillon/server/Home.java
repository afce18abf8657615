package io.carillon.server;

import java.nio.file.Path;
import java.util.List;

/**
 * Carillon's own folder: shipped examples, work files, control sockets.
 *
 * @param folder the folder
 */
public record Home(Path folder) {
    /**
     * The folder that the launcher names by {@code -Dcarillon.home}; else the working directory.
     */
    public static Home current() {
        return new Home(Path.of(System.getProperty("carillon.home", "")).toAbsolutePath());
    }

    /** The archives of the example applications, in the order of their deployment. */
    public List<Path> examples() {
        return List.of(example("uas"), example("b2bua"), example("proxy"));
    }

    private Path example(String name) {
        return folder.resolve("examples").resolve(name).resolve("target").resolve(name + ".war");
    }

    /** The router file with which the examples share a server. */
    public Path examplesRouter() {
        return folder.resolve("examples").resolve("router.properties");
    }

    /** The embedded database's folder. */
    public Path data() {
        return folder.resolve(".carillon").resolve("data");
    }

    /** Where processes unpack archives. */
    public Path work() {
        return folder.resolve(".carillon").resolve("work");
    }
}
