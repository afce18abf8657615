package io.carillon.server.config;

import io.carillon.servlet.app.ApplicationName;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Makes the records of the configuration from a tree of YAML, and remembers where each value came
 * from. One use, one thread.
 */
final class RecordReader {
    private final Map<String, SourcePlace> places;
    private final Map<String, String> environment;
    private final List<ConfigurationProblem> problems;
    private final Map<String, Origin> origins = new HashMap<>();

    /**
     * @param places sources by the names in the nodes' marks
     * @param environment for {@code ${NAME}}
     * @param problems where faults go
     */
    RecordReader(
            Map<String, SourcePlace> places,
            Map<String, String> environment,
            List<ConfigurationProblem> problems) {
        this.places = places;
        this.environment = environment;
        this.problems = problems;
    }

    /** Where values and sections came from, by name; those that nobody set are not in it. */
    Map<String, Origin> origins() {
        return origins;
    }

    <R extends Record> R record(Class<R> type, @Nullable Node node, String path) {
        List<ConfigurationKey> keys = ConfigurationKeys.in(path, type);
        Map<String, Node> given = entries(node, path, words(keys));
        origin(path, node);
        Class<?>[] types = new Class<?>[keys.size()];
        Object[] values = new Object[keys.size()];
        for (int i = 0; i < values.length; i++) {
            ConfigurationKey key = keys.get(i);
            types[i] = key.component().getType();
            values[i] =
                    key.secret()
                            ? secret(
                                    key,
                                    given.get(key.word()),
                                    given.get(key.word() + ConfigurationKey.FILE))
                            : value(key, given.get(key.word()));
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

    private static List<String> words(List<ConfigurationKey> keys) {
        List<String> words = new ArrayList<>();
        for (ConfigurationKey key : keys) {
            words.add(key.word());
            if (key.secret()) {
                words.add(key.word() + ConfigurationKey.FILE);
            }
        }
        return words;
    }

    /** A secret, or the file that holds it. */
    private @Nullable Object secret(
            ConfigurationKey key, @Nullable Node text, @Nullable Node file) {
        Node inFile = file == null || Tag.NULL.equals(file.getTag()) ? null : file;
        if (inFile == null) {
            return value(key, text);
        }
        String name = key.name() + ConfigurationKey.FILE;
        if (text != null) {
            problem(inFile, name + " and " + key.name() + " are both given; one of them has to go");
        }
        origin(key.name(), inFile);
        if (!(inFile instanceof ScalarNode scalar) || scalar.getValue().isBlank()) {
            problem(inFile, name + " has to be a file");
            return null;
        }
        try {
            return Secret.inFile(resolved(Path.of(filled(scalar, key.name()).strip()), scalar));
        } catch (InvalidPathException e) {
            problem(inFile, name + " has to be a file");
            return null;
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
        origin(key.name(), node);
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
                    origin(at, child);
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
        int faults = problems.size();
        List<Node> nodes =
                node instanceof SequenceNode sequence
                        ? sequence.getValue()
                        : parted(node, key.name());
        if (problems.size() > faults) {
            return list(key, null);
        }
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
        int faults = problems.size();
        String text = filled(scalar, path).strip();
        if (problems.size() > faults) {
            return placeholder(kind, setting);
        }
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
        return value instanceof Path relative ? resolved(relative, node) : value;
    }

    private Path resolved(Path file, Node node) {
        SourcePlace place = places.get(Nodes.source(node));
        return place == null || place.folder() == null ? file : place.folder().resolve(file);
    }

    /** The text, with variables of the environment where a file names them. */
    private String filled(ScalarNode node, String path) {
        SourcePlace place = places.get(Nodes.source(node));
        if (place == null || place.kind() != Origin.Kind.FILE) {
            return node.getValue();
        }
        Placeholders placeholders = new Placeholders(environment);
        String text = placeholders.fill(node.getValue());
        String fault = placeholders.fault();
        if (fault != null) {
            problem(node, path + ": " + fault);
        }
        Origin origin = origins.get(path);
        if (origin != null && !placeholders.used().isEmpty()) {
            origins.put(
                    path,
                    new Origin(origin.kind(), origin.source(), origin.line(), placeholders.used()));
        }
        return text;
    }

    /** One value in place of a list; a variable of the environment may hold several. */
    private List<Node> parted(Node node, String path) {
        if (!(node instanceof ScalarNode scalar) || !scalar.getValue().contains("${")) {
            return List.of(node);
        }
        List<Node> parts = new ArrayList<>();
        for (String part : filled(scalar, path).split(",", -1)) {
            parts.add(
                    new ScalarNode(
                            Tag.STR,
                            true,
                            part.strip().replace("${", "$${"),
                            scalar.getScalarStyle(),
                            scalar.getStartMark(),
                            scalar.getEndMark()));
        }
        return parts;
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

    private void origin(String name, @Nullable Node node) {
        if (node == null || name.isEmpty()) {
            return;
        }
        String source = Nodes.source(node);
        SourcePlace place = places.get(source);
        if (place != null) {
            boolean lines = place.kind() == Origin.Kind.FILE;
            origins.put(name, new Origin(place.kind(), source, lines ? line(node) : 0, ""));
        }
    }

    private static int line(Node node) {
        return node.getStartMark().map(Mark::getLine).orElse(-1) + 1;
    }

    private void problem(Node node, String message) {
        String source = Nodes.source(node);
        SourcePlace place = places.get(source);
        boolean lines = place != null && place.kind() == Origin.Kind.FILE;
        problems.add(new ConfigurationProblem(source, lines ? line(node) : 0, message));
    }
}
