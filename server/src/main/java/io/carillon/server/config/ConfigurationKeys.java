package io.carillon.server.config;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Every key of the configuration, once: what {@link Setting} says of the components of the records,
 * by name. Names of maps are {@code NAME} in it, elements of lists {@code []}, as in {@code
 * peers.NAME.addresses} and {@code tls.certificates[].key}.
 *
 * <p>Immutable; any thread.
 */
public final class ConfigurationKeys {
    private static final Map<String, ConfigurationKey> SECTIONS = new LinkedHashMap<>();
    private static final Map<String, ConfigurationKey> KEYS = new LinkedHashMap<>();

    static {
        collect("", Configuration.class);
    }

    private ConfigurationKeys() {}

    private static void collect(String section, Class<? extends Record> type) {
        for (ConfigurationKey key : in(section, type)) {
            Class<? extends Record> record = key.record();
            if (record == null) {
                KEYS.put(key.name(), key);
            } else {
                String name =
                        key.name() + (key.isMap() ? ".NAME" : "") + (key.isList() ? "[]" : "");
                SECTIONS.put(name, key);
                collect(name, record);
            }
        }
    }

    /** All keys that have a value, in the order of the records. */
    public static List<ConfigurationKey> all() {
        return List.copyOf(KEYS.values());
    }

    /**
     * The key of that name.
     *
     * @throws IllegalArgumentException where there is none
     */
    public static ConfigurationKey named(String name) {
        ConfigurationKey key = KEYS.get(name);
        if (key == null) {
            throw new IllegalArgumentException("no such key: " + name);
        }
        return key;
    }

    /** The keys that move what a metric counts, in the order of the records. */
    public static List<ConfigurationKey> shownBy(String metric) {
        return all().stream().filter(key -> key.metrics().contains(metric)).toList();
    }

    /**
     * A key's value as a user would write it.
     *
     * @throws IllegalArgumentException where the key stands in a map or list of sections
     */
    public static String written(ConfigurationKey key, Configuration all) {
        Object record = all;
        StringBuilder at = new StringBuilder();
        for (String step : key.section().isEmpty() ? new String[0] : key.section().split("\\.")) {
            ConfigurationKey section = SECTIONS.get(at.append(step).toString());
            if (section == null || section.isMap() || section.isList()) {
                throw new IllegalArgumentException(key.name() + " has many values");
            }
            record = section.in(record);
            at.append('.');
        }
        return key.written(key.in(record));
    }

    /** Keys and sections that stand in one record. */
    static List<ConfigurationKey> in(String section, Class<? extends Record> type) {
        List<ConfigurationKey> keys = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            keys.add(ConfigurationKey.of(section, component));
        }
        return keys;
    }

    /** Names of all sections. */
    static List<String> sections() {
        return List.copyOf(SECTIONS.keySet());
    }

    /** The section of that name; null for the top. */
    static @Nullable ConfigurationKey section(String name) {
        return SECTIONS.get(name);
    }
}
