package io.carillon.server.reload;

import io.carillon.server.config.ConfigurationValues;
import io.carillon.server.config.ReadConfiguration;
import java.util.List;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Values and changes as JSON, and read from it again. Stateless. */
public final class ConfigurationText {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private ConfigurationText() {}

    /** All values of a configuration. */
    public static String values(ReadConfiguration read) {
        return JSON.writeValueAsString(ShownValue.of(read));
    }

    /** What the second one has otherwise. */
    public static String changes(ReadConfiguration before, ReadConfiguration after) {
        return JSON.writeValueAsString(
                ShownChange.of(
                        ConfigurationValues.changes(before.configuration(), after.configuration()),
                        after));
    }

    /** Anything, as JSON. */
    public static String json(Object value) {
        return JSON.writeValueAsString(value);
    }

    /** From {@link #values}. */
    public static List<ShownValue> readValues(String json) {
        return JSON.readValue(json, new TypeReference<>() {});
    }

    /** What a reload did. */
    public static Reloading.Outcome readOutcome(String json) {
        return JSON.readValue(json, Reloading.Outcome.class);
    }

    /** From {@link #changes}. */
    public static List<ShownChange> readChanges(String json) {
        return JSON.readValue(json, new TypeReference<>() {});
    }
}
