package io.carillon.server;

import io.carillon.server.cluster.OwnPlace;
import io.carillon.server.config.ClusterSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where Carillon is and where it keeps what it makes (docs/start/install.md, Where things are).
 *
 * @param folder the program's: a clone, an unpacked archive, or what a package installed
 * @param state of the databases, the votes of a cluster and work files
 * @param control of the control sockets
 * @param conf of the owner's configuration
 */
public record HomeFolder(Path folder, Path state, Path control, Path conf) {
    /**
     * What a package puts beside the libraries: data, sockets and settings have the system's
     * places.
     */
    private static final String INSTALLED = "lib/installed";

    /** A clone, or a folder that stands for one. */
    public HomeFolder(Path folder) {
        this(folder, folder.resolve(".carillon"));
    }

    private HomeFolder(Path folder, Path state) {
        this(folder, state, state.resolve("control"), state.resolve("conf"));
    }

    /**
     * That of this process. The launcher names the program by {@code -Dcarillon.home}, else it is
     * the working directory; CARILLON_HOME, or before it {@code -Dcarillon.state}, is the folder of
     * all that is kept.
     */
    public static HomeFolder current() {
        String state = System.getProperty("carillon.state", "");
        if (state.isBlank()) {
            String home = System.getenv("CARILLON_HOME");
            state = home == null ? "" : home.strip();
        }
        return of(Path.of(System.getProperty("carillon.home", "")).toAbsolutePath(), state);
    }

    /**
     * By what lies in the program's folder.
     *
     * @param state the folder of all that is kept; blank: the one that goes with the program
     */
    static HomeFolder of(Path program, String state) {
        if (!state.isBlank()) {
            return new HomeFolder(program, Path.of(state).toAbsolutePath());
        }
        if (Files.exists(program.resolve(INSTALLED))) {
            return new HomeFolder(
                    program,
                    Path.of("/var/lib/carillon"),
                    Path.of("/run/carillon"),
                    Path.of("/etc/carillon"));
        }
        if (Files.exists(program.resolve("bin/carillon"))) {
            Path kept = program.resolve("var");
            return new HomeFolder(program, kept, kept.resolve("control"), program.resolve("conf"));
        }
        return new HomeFolder(program);
    }

    /** How commands are called here: a clone has its launcher in its folder. */
    public String command() {
        return Files.exists(folder.resolve("bin/carillon")) ? "carillon" : "./carillon";
    }

    /**
     * The archives of the example applications, by name: {@code examples/NAME.war}, in a clone
     * {@code examples/NAME/target/NAME.war}.
     *
     * @throws IOException when the folder of the examples cannot be read
     */
    public List<Path> examples() throws IOException {
        try (Stream<Path> examples = Files.list(folder.resolve("examples"))) {
            return examples.map(HomeFolder::archive).filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static Path archive(Path example) {
        String name = String.valueOf(example.getFileName());
        return name.endsWith(".war") ? example : example.resolve("target").resolve(name + ".war");
    }

    /** The router file with which the examples share a server. */
    public Path examplesRouter() {
        return folder.resolve("examples").resolve("router.properties");
    }

    /** The configuration with which the examples run when no other is named. */
    public Path examplesConfiguration() {
        return folder.resolve("examples").resolve("carillon.yaml");
    }

    /** The owner's configuration, which counts when no other is named; it need not be there. */
    public Path configuration() {
        return conf.resolve("carillon.yaml");
    }

    /** The embedded database's folder. */
    public Path data() {
        return state.resolve("data");
    }

    /** Where members of clusters keep their votes. */
    public Path clusters() {
        return state.resolve("cluster");
    }

    /** The embedded database's folder: that of a node is its own. */
    public Path data(ClusterSettings settings) {
        return settings.configured()
                ? OwnPlace.folder(clusters(), settings).resolve("data")
                : data();
    }

    /** Where call records wait, and the list of open calls: that of a node is its own. */
    public Path callRecords(ClusterSettings settings) {
        return settings.configured()
                ? OwnPlace.folder(clusters(), settings).resolve("cdr")
                : state.resolve("cdr");
    }

    /** Accounts of administrators, and the audit log. */
    public Path admin() {
        return state.resolve("admin");
    }

    /** Where processes unpack archives. */
    public Path work() {
        return state.resolve("work");
    }

    /** The interfaces of other vendors that the owner has installed; it need not be there. */
    public Path bridge() {
        return state.resolve("bridge");
    }
}
