package io.carillon.server;

import io.carillon.server.cluster.OwnPlace;
import io.carillon.server.config.ClusterSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Carillon's own folder: shipped examples, work files, control sockets.
 *
 * @param folder the folder
 */
public record HomeFolder(Path folder) {
    /**
     * The folder that the launcher names by {@code -Dcarillon.home}; else the working directory.
     */
    public static HomeFolder current() {
        return new HomeFolder(Path.of(System.getProperty("carillon.home", "")).toAbsolutePath());
    }

    /**
     * The archives of the example applications, {@code examples/NAME/target/NAME.war}, by name.
     *
     * @throws IOException when the folder of the examples cannot be read
     */
    public List<Path> examples() throws IOException {
        try (Stream<Path> examples = Files.list(folder.resolve("examples"))) {
            return examples.map(HomeFolder::archive).filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static Path archive(Path example) {
        return example.resolve("target").resolve(example.getFileName() + ".war");
    }

    /** The router file with which the examples share a server. */
    public Path examplesRouter() {
        return folder.resolve("examples").resolve("router.properties");
    }

    /** The configuration with which the examples run when no other is named. */
    public Path examplesConfiguration() {
        return folder.resolve("examples").resolve("carillon.yaml");
    }

    /** The embedded database's folder. */
    public Path data() {
        return folder.resolve(".carillon").resolve("data");
    }

    /** Where members of clusters keep their votes. */
    public Path clusters() {
        return folder.resolve(".carillon").resolve("cluster");
    }

    /** The embedded database's folder: that of a node is its own. */
    public Path data(ClusterSettings settings) {
        return settings.configured() ? OwnPlace.folder(clusters(), settings).resolve("data") : data();
    }

    /** Where processes unpack archives. */
    public Path work() {
        return folder.resolve(".carillon").resolve("work");
    }
}
