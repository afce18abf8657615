package io.carillon.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where a configuration is read from, the weakest first: a file, the files in the folder {@code
 * conf.d} beside it, the environment, the options of the command line. Immutable.
 *
 * @param file the configuration file; null: none
 * @param environment variables by name
 * @param options of the command line, in their order
 */
public record ConfigurationSources(
        @Nullable Path file, Map<String, String> environment, List<Option> options) {
    private static final String FOLDER = "conf.d";

    public ConfigurationSources {
        environment = Map.copyOf(environment);
        options = List.copyOf(options);
    }

    /**
     * An option of the command line that sets a key.
     *
     * @param name as errors show it, as in {@code --sip}
     * @param path of the key, step by step
     * @param value as written
     * @param list whether commas part the elements of a list in it
     */
    public record Option(String name, List<String> path, String value, boolean list) {
        public Option {
            path = List.copyOf(path);
        }
    }

    /** A file and the environment of this process. */
    public static ConfigurationSources of(@Nullable Path file) {
        return new ConfigurationSources(file, System.getenv(), List.of());
    }

    /** These and an option more. */
    public ConfigurationSources with(Option option) {
        List<Option> more = new ArrayList<>(options);
        more.add(option);
        return new ConfigurationSources(file, environment, more);
    }

    /**
     * The files, the weakest first: that of {@code conf.d} by their names.
     *
     * @throws ConfigurationException when the folder cannot be read
     */
    List<Path> files() throws ConfigurationException {
        if (file == null) {
            return List.of();
        }
        List<Path> all = new ArrayList<>(List.of(file));
        Path folder = file.resolveSibling(FOLDER);
        if (Files.isDirectory(folder)) {
            try (Stream<Path> found = Files.list(folder)) {
                found.filter(one -> one.toString().endsWith(".yaml")).sorted().forEach(all::add);
            } catch (IOException e) {
                throw new ConfigurationException(
                        List.of(
                                new ConfigurationProblem(
                                        folder.toString(), 0, "the folder cannot be read")));
            }
        }
        return all;
    }
}
