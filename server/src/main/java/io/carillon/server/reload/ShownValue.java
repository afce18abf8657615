package io.carillon.server.reload;

import io.carillon.server.config.ConfigurationValues;
import io.carillon.server.config.Origin;
import io.carillon.server.config.ReadConfiguration;
import java.util.List;

/**
 * A value of the configuration as it is shown.
 *
 * @param key with the names of maps and the numbers of lists
 * @param value as a user would write it; secrets as stars
 * @param origin default, file and line, variable or option
 * @param reload whether a reload changes it
 */
public record ShownValue(String key, String value, String origin, boolean reload) {
    /** All values of a configuration, in the order of the reference page. */
    static List<ShownValue> of(ReadConfiguration read) {
        return ConfigurationValues.of(read.configuration()).entrySet().stream()
                .map(one ->
                        new ShownValue(
                                one.getKey(),
                                one.getValue().shown(),
                                read.origin(one.getKey()).toString(),
                                one.getValue().key().reload()))
                .toList();
    }

    /** Did nobody set it? */
    public boolean standard() {
        return origin.equals(Origin.DEFAULT.toString());
    }
}
