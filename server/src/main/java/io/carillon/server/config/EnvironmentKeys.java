package io.carillon.server.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Keys by variables of the environment: {@code sip.request-heap} is {@code
 * CARILLON_SIP_REQUEST_HEAP}. A name that an administrator gave, as that of a peer, is found by the
 * same rule among the names of the files; else it is the variable's in small letters, with {@code
 * -} for {@code _}. Immutable; any thread.
 */
final class EnvironmentKeys {
    static final String PREFIX = "CARILLON_";

    /** Variables of the launcher and of tools, which are no keys. */
    private static final Set<String> OTHERS =
            Set.of(
                    "CARILLON_HOME",
                    "CARILLON_CONFIG",
                    "CARILLON_FOUND_JAVA",
                    "CARILLON_VERSION",
                    "CARILLON_JAVA_HOME",
                    "CARILLON_JAVA_OPTS",
                    "CARILLON_PEER_JAVA_HOME",
                    "CARILLON_START_CACHE",
                    "CARILLON_TOOL_RUNS");

    /** What Kubernetes puts into a container for a service with a name that begins as ours do. */
    private static final Pattern OF_A_SERVICE =
            Pattern.compile(
                    ".*_SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)|.*_PORT_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?");

    private static final Pattern ADDRESS_OF_A_SERVICE = Pattern.compile("(tcp|udp|sctp)://.*");
    private static final String NAME = "([A-Z0-9_]+)";
    private static final String NUMBER = "(\\d+)";

    /** The one key whose names have dots. */
    private static final String LOGGERS = "log.levels";

    private static final List<Form> FORMS = forms();

    private EnvironmentKeys() {}

    /**
     * How variables of a key are written.
     *
     * @param pattern of the variable's name
     * @param path of the key; {@code *} and {@code [*]} for what the pattern finds
     * @param key null: a whole section
     * @param value how the variable's text is read
     */
    private record Form(
            Pattern pattern, List<String> path, @Nullable ConfigurationKey key, Value value) {
        /** What has fewer unknown parts, and more known letters, is meant. */
        int weight() {
            return path.contains("*") ? pattern.pattern().length() : Integer.MAX_VALUE;
        }
    }

    /** How the text of a variable is read. */
    enum Value {
        /** As it is. */
        TEXT,
        /** Elements between commas, or a list in YAML. */
        LIST,
        /** YAML. */
        YAML
    }

    /**
     * A variable that sets a key.
     *
     * @param path of the key, step by step
     * @param value how its text is read
     */
    record Found(List<String> path, Value value) {
        /** Whole sections come before their keys, elements of lists in their order. */
        String order() {
            StringBuilder order = new StringBuilder();
            for (String step : path) {
                order.append('.')
                        .append(
                                step.startsWith("[")
                                        ? String.format(
                                                Locale.ROOT,
                                                "%08d",
                                                Integer.valueOf(
                                                        step.substring(1, step.length() - 1)))
                                        : step);
            }
            return order.toString();
        }
    }

    private static List<Form> forms() {
        List<Form> forms = new ArrayList<>();
        for (String section : ConfigurationKeys.sections()) {
            if (!section.endsWith(".NAME") && !section.endsWith("[]")) {
                forms.add(form(section, "", null, Value.YAML));
            } else if (section.indexOf("NAME") == section.length() - 4 || section.endsWith("[]")) {
                String whole =
                        section.substring(0, section.length() - (section.endsWith("[]") ? 2 : 5));
                forms.add(form(whole, "", null, Value.YAML));
            }
        }
        for (ConfigurationKey key : ConfigurationKeys.all()) {
            if (key.isMap()) {
                forms.add(form(key.name(), "", key, Value.YAML));
                forms.add(form(key.name() + ".NAME", "", key, Value.TEXT));
            } else {
                forms.add(form(key.name(), "", key, key.isList() ? Value.LIST : Value.TEXT));
            }
            if (key.secret()) {
                forms.add(form(key.name(), ConfigurationKey.FILE, key, Value.TEXT));
            }
        }
        return List.copyOf(forms);
    }

    private static Form form(
            String name, String ending, @Nullable ConfigurationKey key, Value value) {
        StringBuilder pattern = new StringBuilder(PREFIX);
        List<String> path = new ArrayList<>();
        for (String step : (name + ending).replace("[]", ".[]").split("\\.")) {
            pattern.append(pattern.length() == PREFIX.length() ? "" : "_");
            switch (step) {
                case "NAME" -> {
                    pattern.append(NAME);
                    path.add("*");
                }
                case "[]" -> {
                    pattern.append(NUMBER);
                    path.add("[*]");
                }
                default -> {
                    pattern.append(word(step));
                    path.add(step);
                }
            }
        }
        return new Form(Pattern.compile(pattern.toString()), List.copyOf(path), key, value);
    }

    /** A word of a key as it stands in the name of a variable. */
    private static String word(String step) {
        return step.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }

    /**
     * The variable of a key, by the name of the reference page: {@code CARILLON_PEERS_NAME_WEIGHT}.
     */
    static String variable(String key) {
        return PREFIX + word(key.replace("[]", ".0"));
    }

    /** Whether a variable is none of ours: the launcher's, or of a service of Kubernetes. */
    static boolean foreign(String variable, String value) {
        return !variable.startsWith(PREFIX)
                || OTHERS.contains(variable)
                || OF_A_SERVICE.matcher(variable).matches()
                || (variable.endsWith("_PORT") && ADDRESS_OF_A_SERVICE.matcher(value).matches());
    }

    /**
     * The key that a variable sets.
     *
     * @param root what the files say, for the names in it
     * @return null where there is none
     */
    static @Nullable Found find(String variable, @Nullable Node root) {
        Form best = null;
        for (Form form : FORMS) {
            if (form.pattern.matcher(variable).matches()
                    && (best == null || form.weight() > best.weight())) {
                best = form;
            }
        }
        if (best == null) {
            return null;
        }
        Matcher parts = best.pattern.matcher(variable);
        if (!parts.matches()) {
            throw new IllegalStateException(variable);
        }
        List<String> path = new ArrayList<>();
        int part = 1;
        for (String step : best.path) {
            switch (step) {
                case "*" -> path.add(name(parts.group(part++), path, best.key, root));
                case "[*]" -> path.add("[" + Integer.parseInt(parts.group(part++)) + "]");
                default -> path.add(step);
            }
        }
        return new Found(path, best.value);
    }

    private static String name(
            String given, List<String> path, @Nullable ConfigurationKey key, @Nullable Node root) {
        for (String known : Nodes.words(root, path)) {
            if (word(known).equals(given)) {
                return known;
            }
        }
        boolean logger = key != null && key.name().equals(LOGGERS);
        return given.toLowerCase(Locale.ROOT).replace('_', logger ? '.' : '-');
    }

    /**
     * Variables of the section that a mistyped one seems to mean; null: no section has its name.
     */
    static @Nullable String similar(String variable) {
        Map<String, List<String>> bySection = new TreeMap<>(Comparator.reverseOrder());
        for (ConfigurationKey key : ConfigurationKeys.all()) {
            if (!key.section().isEmpty()) {
                bySection
                        .computeIfAbsent(variable(key.section()) + "_", _ -> new ArrayList<>())
                        .add(variable(key.name()));
            }
        }
        for (Map.Entry<String, List<String>> section : bySection.entrySet()) {
            if (variable.startsWith(section.getKey())) {
                return String.join(", ", section.getValue());
            }
        }
        return bySection.keySet().stream()
                        .anyMatch(section -> variable.startsWith(firstWord(section)))
                ? "those of docs/reference/configuration.md"
                : null;
    }

    private static String firstWord(String section) {
        return section.substring(0, section.indexOf('_', PREFIX.length()) + 1);
    }
}
