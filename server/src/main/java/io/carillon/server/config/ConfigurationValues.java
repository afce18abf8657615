package io.carillon.server.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All values of a configuration, by the names of their keys. Stateless. */
public final class ConfigurationValues {
    private ConfigurationValues() {}

    /** Every value, in the order of the records; entries of maps by their names. */
    public static Map<String, ConfigurationValue> of(Configuration configuration) {
        Map<String, ConfigurationValue> values = new LinkedHashMap<>();
        collect("", configuration, values);
        return values;
    }

    private static void collect(
            String section, Record record, Map<String, ConfigurationValue> values) {
        for (ConfigurationKey key : ConfigurationKeys.in(section, record.getClass())) {
            Object value = key.in(record);
            if (key.record() == null && !key.isMap()) {
                values.put(key.name(), new ConfigurationValue(key.name(), key, value));
            } else if (value instanceof Map<?, ?> map) {
                new TreeMap<>(map)
                        .forEach((name, one) -> {
                            String at = key.name() + "." + name;
                            if (one instanceof Record inner && key.record() != null) {
                                collect(at, inner, values);
                            } else {
                                values.put(at, new ConfigurationValue(at, key, one));
                            }
                        });
            } else if (value instanceof List<?> list) {
                for (int i = 0; i < list.size(); i++) {
                    collect(key.name() + "[" + i + "]", (Record) list.get(i), values);
                }
            } else {
                collect(key.name(), (Record) value, values);
            }
        }
    }

    /**
     * What is another in the second configuration.
     *
     * @param before null: it has no such key, as that of a new peer
     * @param after null: the same the other way
     */
    public record Change(@Nullable ConfigurationValue before, @Nullable ConfigurationValue after) {
        /** The name of the key, with names and numbers. */
        public String name() {
            return one().name();
        }

        /** What is said about the key. */
        public ConfigurationKey key() {
            return one().key();
        }

        private ConfigurationValue one() {
            ConfigurationValue one = after == null ? before : after;
            if (one == null) {
                throw new IllegalStateException("a change of nothing");
            }
            return one;
        }
    }

    /** The values that are not the same in both. */
    public static List<Change> changes(Configuration before, Configuration after) {
        Map<String, ConfigurationValue> old = of(before);
        List<Change> changes = new ArrayList<>();
        of(after)
                .forEach((name, value) -> {
                    ConfigurationValue was = old.remove(name);
                    if (value.differs(was)) {
                        changes.add(new Change(was, value));
                    }
                });
        old.values().forEach(gone -> changes.add(new Change(gone, null)));
        return changes;
    }
}
