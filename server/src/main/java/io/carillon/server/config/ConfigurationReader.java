package io.carillon.server.config;

import io.carillon.servlet.app.ApplicationName;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Reads YAML into the configuration's records. One use, one thread; collects every fault before it
 * gives up.
 */
public final class ConfigurationReader {
    private final String source;
    private final @Nullable Path folder;
    private final List<ConfigurationProblem> problems = new ArrayList<>();

    private ConfigurationReader(String source, @Nullable Path folder) {
        this.source = source;
        this.folder = folder;
    }

    /**
     * Reads a file. Relative paths in it start at its own folder.
     *
     * @throws ConfigurationException naming file, line, key and what is allowed
     */
    public static Configuration read(Path file) throws ConfigurationException {
        String text;
        try {
            text = Files.readString(file);
        } catch (MalformedInputException e) {
            throw new ConfigurationException(
                    List.of(new ConfigurationProblem(file.toString(), 0, "is not UTF-8 text")));
        } catch (IOException e) {
            throw new ConfigurationException(
                    List.of(
                            new ConfigurationProblem(
                                    file.toString(),
                                    0,
                                    Files.exists(file)
                                            ? "cannot be read"
                                            : "there is no such file")));
        }
        return read(file.toString(), text, file.toAbsolutePath().getParent());
    }

    /**
     * Reads a text.
     *
     * @param source named in errors
     * @param folder where relative paths start; null: the working directory
     * @throws ConfigurationException naming source, line, key and what is allowed
     */
    public static Configuration read(String source, String text, @Nullable Path folder)
            throws ConfigurationException {
        ConfigurationReader reader = new ConfigurationReader(source, folder);
        Optional<Node> root = reader.compose(text);
        Configuration configuration = reader.record(Configuration.class, root.orElse(null), "");
        if (!reader.problems.isEmpty()) {
            throw new ConfigurationException(reader.problems);
        }
        return configuration;
    }

    /**
     * The line of a file that a setting stands on, as in {@code tls.certificates[1].key}: for
     * faults that are seen only when the setting is used. A setting that is not there: the line of
     * the section it belongs to; 0 when there is none either.
     */
    public static int line(Path file, String setting) {
        try {
            ConfigurationReader reader = new ConfigurationReader(file.toString(), null);
            Node at = reader.compose(Files.readString(file)).orElse(null);
            int line = 0;
            for (String step : setting.replace("[", ".[").split("\\.", -1)) {
                at = at == null ? null : inside(at, step);
                line = at == null ? line : at.getStartMark().map(Mark::getLine).orElse(-1) + 1;
            }
            return line;
        } catch (IOException | ConfigurationException e) {
            return 0; // was read a moment ago; the fault is told without its line
        }
    }

    private static @Nullable Node inside(Node node, String step) {
        if (node instanceof SequenceNode sequence && step.startsWith("[")) {
            int index = Integer.parseInt(step.substring(1, step.length() - 1));
            List<Node> elements = sequence.getValue();
            return index < elements.size() ? elements.get(index) : null;
        }
        if (node instanceof MappingNode mapping) {
            for (NodeTuple tuple : mapping.getValue()) {
                if (tuple.getKeyNode() instanceof ScalarNode key && key.getValue().equals(step)) {
                    return tuple.getValueNode();
                }
            }
        }
        return null;
    }

    /** The configuration of an empty file. */
    public static Configuration standard() {
        ConfigurationReader reader = new ConfigurationReader("defaults", null);
        Configuration configuration = reader.record(Configuration.class, null, "");
        if (!reader.problems.isEmpty()) {
            throw new IllegalStateException("a default is wrong: " + reader.problems);
        }
        return configuration;
    }

    private Optional<Node> compose(String text) throws ConfigurationException {
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

    private <R extends Record> R record(Class<R> type, @Nullable Node node, String path) {
        List<ConfigurationKey> keys = ConfigurationKeys.in(path, type);
        Map<String, Node> given =
                entries(node, path, keys.stream().map(ConfigurationKey::word).toList());
        Class<?>[] types = new Class<?>[keys.size()];
        Object[] values = new Object[keys.size()];
        for (int i = 0; i < values.length; i++) {
            ConfigurationKey key = keys.get(i);
            types[i] = key.component().getType();
            values[i] = value(key, given.get(key.word()));
        }
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (InvocationTargetException e) {
            // The record's own check: values that are allowed each, but not together.
            if (node == null || !(e.getCause() instanceof IllegalArgumentException)) {
                throw new IllegalStateException("configuration record " + type.getName(), e);
            }
            problem(node, (path.isEmpty() ? "" : path + ": ") + e.getCause().getMessage());
            return record(type, null, path);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("configuration record " + type.getName(), e);
        }
    }

    /** The entries of a mapping; with {@code allowed}, other keys are faults. */
    private Map<String, Node> entries(
            @Nullable Node node, String path, @Nullable List<String> allowed) {
        Map<String, Node> entries = new LinkedHashMap<>();
        if (node == null) {
            return entries;
        }
        if (!(node instanceof MappingNode mapping)) {
            problem(
                    node,
                    (path.isEmpty() ? "the file" : path)
                            + " has to be a section with keys"
                            + allowedKeys(allowed));
            return entries;
        }
        for (NodeTuple tuple : mapping.getValue()) {
            Node keyNode = tuple.getKeyNode();
            if (!(keyNode instanceof ScalarNode scalar)) {
                problem(keyNode, "a key has to be a word");
                continue;
            }
            String key = scalar.getValue();
            if (allowed != null && !allowed.contains(key)) {
                problem(keyNode, "unknown key " + join(path, key) + allowedKeys(allowed));
            } else if (entries.putIfAbsent(key, tuple.getValueNode()) != null) {
                problem(keyNode, join(path, key) + " stands here a second time");
            }
        }
        return entries;
    }

    private static String allowedKeys(@Nullable List<String> allowed) {
        return allowed == null ? "" : "; allowed: " + String.join(", ", allowed);
    }

    private @Nullable Object value(ConfigurationKey key, @Nullable Node given) {
        Node node = given == null || Tag.NULL.equals(given.getTag()) ? null : given;
        if (key.isMap()) {
            return map(key, node);
        }
        if (key.isList()) {
            return list(key, node);
        }
        Class<? extends Record> section = key.record();
        if (section != null) {
            return record(section, node, key.name());
        }
        if (node == null) {
            String standard = key.setting().standard();
            return standard.isEmpty() ? null : parseStandard(key.kind(), standard);
        }
        return scalar(key, node, key.name());
    }

    private Map<String, Object> map(ConfigurationKey key, @Nullable Node node) {
        Class<? extends Record> section = key.record();
        Map<String, Object> result = new LinkedHashMap<>();
        entries(node, key.name(), null)
                .forEach((name, child) -> {
                    String at = join(key.name(), name);
                    String fault =
                            section == ApplicationSettings.class
                                    ? ApplicationName.fault(name)
                                    : null;
                    if (fault != null) {
                        problem(child, at + ": " + fault);
                        return;
                    }
                    Object value =
                            section != null ? record(section, child, at) : scalar(key, child, at);
                    if (value != null) {
                        result.put(name, value);
                    }
                });
        return Map.copyOf(result);
    }

    private List<Object> list(ConfigurationKey key, @Nullable Node node) {
        List<Object> result = new ArrayList<>();
        if (node == null) {
            String standard = key.setting().standard();
            for (String part : standard.isEmpty() ? new String[0] : standard.split(",", -1)) {
                result.add(parseStandard(key.kind(), part.strip()));
            }
            return List.copyOf(result);
        }
        List<Node> nodes =
                node instanceof SequenceNode sequence ? sequence.getValue() : List.of(node);
        Class<? extends Record> section = key.record();
        for (Node child : nodes) {
            Object value =
                    section != null
                            ? record(section, child, key.name() + "[" + result.size() + "]")
                            : scalar(key, child, key.name());
            if (value != null) {
                result.add(value);
            }
        }
        return List.copyOf(result);
    }

    private @Nullable Object scalar(ConfigurationKey key, Node node, String path) {
        Setting setting = key.setting();
        ScalarKind<?> kind = key.kind();
        if (!(node instanceof ScalarNode scalar)) {
            problem(node, path + " has to be " + kind.form());
            return placeholder(kind, setting);
        }
        String text = scalar.getValue().strip();
        Object value;
        try {
            value = kind.parse().apply(text);
        } catch (IllegalArgumentException | ArithmeticException e) {
            problem(
                    node,
                    path
                            + ": '"
                            + text
                            + "' is not allowed; it has to be "
                            + kind.form()
                            + key.range());
            return placeholder(kind, setting);
        }
        if (outside(kind, setting, value)) {
            problem(
                    node,
                    path
                            + ": '"
                            + text
                            + "' is not allowed; it has to be "
                            + kind.form()
                            + key.range());
        }
        return value instanceof Path relative && folder != null ? folder.resolve(relative) : value;
    }

    /** Lets the reading go on after a fault: primitives need a value. */
    private static @Nullable Object placeholder(ScalarKind<?> kind, Setting setting) {
        return setting.standard().isEmpty() || setting.standard().indexOf(',') >= 0
                ? null
                : parseStandard(kind, setting.standard());
    }

    private static Object parseStandard(ScalarKind<?> kind, String text) {
        return kind.parse().apply(text);
    }

    @SuppressWarnings("unchecked") // min and max are read by the kind of the value itself
    private static boolean outside(ScalarKind<?> kind, Setting setting, Object value) {
        if (setting.min().isEmpty()) {
            return false;
        }
        Comparable<Object> comparable = (Comparable<Object>) value;
        return comparable.compareTo(kind.parse().apply(setting.min())) < 0
                || comparable.compareTo(kind.parse().apply(setting.max())) > 0;
    }

    private static String join(String path, String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    private void problem(Node node, String message) {
        int line = node.getStartMark().map(Mark::getLine).orElse(-1) + 1;
        problems.add(new ConfigurationProblem(source, line, message));
    }
}
