package io.carillon.server.config;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Reads the sources of a configuration, lays them over each other, and makes the records of it. One
 * use, one thread; collects every fault before it gives up.
 */
public final class ConfigurationReader {
    private final Map<String, SourcePlace> places = new HashMap<>();
    private final List<ConfigurationProblem> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    /** What has been read so far; null: nothing. */
    private @Nullable Node root;

    private ConfigurationReader() {}

    /**
     * Reads a file, {@code conf.d} beside it, and the environment of this process. Relative paths
     * in a file start at its own folder.
     *
     * @param file null: none
     * @throws ConfigurationException naming file, line, key and what is allowed
     */
    public static Configuration read(@Nullable Path file) throws ConfigurationException {
        return read(ConfigurationSources.of(file)).configuration();
    }

    /**
     * Reads everything.
     *
     * @throws ConfigurationException naming file and line, variable or option, key and what is
     *     allowed
     */
    public static ReadConfiguration read(ConfigurationSources sources)
            throws ConfigurationException {
        ConfigurationReader reader = new ConfigurationReader();
        for (Path file : sources.files()) {
            reader.file(file);
        }
        reader.environment(sources.environment());
        reader.options(sources.options());
        return reader.finish(sources.environment());
    }

    /**
     * Reads a text, and nothing beside it.
     *
     * @param source named in errors
     * @param folder where relative paths start; null: the working directory
     * @throws ConfigurationException naming source, line, key and what is allowed
     */
    public static Configuration read(String source, String text, @Nullable Path folder)
            throws ConfigurationException {
        ConfigurationReader reader = new ConfigurationReader();
        reader.text(source, text, folder);
        return reader.finish(Map.of()).configuration();
    }

    /** The configuration where nobody says anything. */
    public static Configuration standard() {
        try {
            return new ConfigurationReader().finish(Map.of()).configuration();
        } catch (ConfigurationException e) {
            throw new IllegalStateException("a default is wrong: " + e.getMessage(), e);
        }
    }

    private ReadConfiguration finish(Map<String, String> environment)
            throws ConfigurationException {
        RecordReader records = new RecordReader(places, environment, problems);
        Configuration configuration = records.record(Configuration.class, root, "");
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
        return new ReadConfiguration(configuration, records.origins(), warnings);
    }

    private void file(Path file) throws ConfigurationException {
        String text;
        try {
            text = Files.readString(file);
        } catch (MalformedInputException e) {
            throw fault(file, "is not UTF-8 text");
        } catch (IOException e) {
            throw fault(file, Files.exists(file) ? "cannot be read" : "there is no such file");
        }
        text(file.toString(), text, file.toAbsolutePath().getParent());
    }

    private static ConfigurationException fault(Path file, String message) {
        return new ConfigurationException(
                List.of(new ConfigurationProblem(file.toString(), 0, message)));
    }

    private void text(String source, String text, @Nullable Path folder)
            throws ConfigurationException {
        places.put(source, new SourcePlace(Origin.Kind.FILE, folder));
        root = Nodes.merge(root, compose(source, text).orElse(null));
    }

    private static Optional<Node> compose(String source, String text)
            throws ConfigurationException {
        LoadSettings settings =
                LoadSettings.builder()
                        .setLabel(source)
                        .setAllowDuplicateKeys(true)
                        .setMaxAliasesForCollections(10)
                        .build();
        try {
            return new Compose(settings)
                    .composeString(text)
                    .filter(node -> !Tag.NULL.equals(node.getTag()));
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(0);
            throw new ConfigurationException(
                    List.of(
                            new ConfigurationProblem(
                                    source, line, "is not YAML: " + e.getProblem())));
        } catch (YamlEngineException e) {
            throw new ConfigurationException(
                    List.of(new ConfigurationProblem(source, 0, "is not YAML: " + e.getMessage())));
        }
    }

    /** Variables that are empty say nothing. */
    private void environment(Map<String, String> environment) throws ConfigurationException {
        Map<String, String> inOrder = new TreeMap<>();
        Map<String, EnvironmentKeys.Found> keys = new HashMap<>();
        for (Map.Entry<String, String> variable : new TreeMap<>(environment).entrySet()) {
            String name = variable.getKey();
            if (variable.getValue().isBlank()
                    || EnvironmentKeys.foreign(name, variable.getValue())) {
                continue;
            }
            EnvironmentKeys.Found found = EnvironmentKeys.find(name, root);
            if (found == null) {
                unknown(name);
            } else {
                inOrder.put(found.order(), name);
                keys.put(name, found);
            }
        }
        for (String name : inOrder.values()) {
            EnvironmentKeys.Found found = keys.get(name);
            String text = environment.get(name);
            if (found != null && text != null) {
                places.put(name, new SourcePlace(Origin.Kind.ENVIRONMENT, null));
                put(name, found.path(), value(name, text.strip(), found.value()));
            }
        }
    }

    private void unknown(String variable) {
        String similar = EnvironmentKeys.similar(variable);
        if (similar == null) {
            warnings.add("The environment has " + variable + ", which is no key and sets nothing");
        } else {
            problems.add(
                    new ConfigurationProblem(
                            variable, 0, "no key has this name; allowed: " + similar));
        }
    }

    private static Node value(String source, String text, EnvironmentKeys.Value form)
            throws ConfigurationException {
        boolean yaml =
                form == EnvironmentKeys.Value.YAML
                        || (form == EnvironmentKeys.Value.LIST
                                && text.startsWith("[")
                                && text.endsWith("]"));
        if (yaml) {
            return compose(source, text).orElse(Nodes.scalar(source, text));
        }
        if (form == EnvironmentKeys.Value.LIST) {
            return Nodes.list(source, text);
        }
        return Nodes.scalar(source, text);
    }

    private void options(List<ConfigurationSources.Option> options) {
        for (ConfigurationSources.Option option : options) {
            places.put(option.name(), new SourcePlace(Origin.Kind.OPTION, null));
            Node value =
                    option.list()
                            ? Nodes.list(option.name(), option.value())
                            : Nodes.scalar(option.name(), option.value());
            put(option.name(), option.path(), value);
        }
    }

    private void put(String source, List<String> path, Node value) {
        try {
            root = Nodes.put(root, path, value);
        } catch (IllegalArgumentException e) {
            problems.add(new ConfigurationProblem(source, 0, String.valueOf(e.getMessage())));
        }
    }
}
