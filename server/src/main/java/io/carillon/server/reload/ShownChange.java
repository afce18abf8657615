package io.carillon.server.reload;

import io.carillon.server.config.ConfigurationValue;
import io.carillon.server.config.ConfigurationValues;
import io.carillon.server.config.ReadConfiguration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A key with another value than before, as it is shown.
 *
 * @param key with the names of maps and the numbers of lists
 * @param before as a user would write it; secrets as stars; empty: there was no such key
 * @param after the same; empty: it is gone
 * @param origin of the new value
 * @param reload whether a reload is enough; else it is a restart
 */
public record ShownChange(String key, String before, String after, String origin, boolean reload) {
    /** Changes, in the order of the reference page. */
    static List<ShownChange> of(List<ConfigurationValues.Change> changes, ReadConfiguration read) {
        return changes.stream()
                .map(one ->
                        new ShownChange(
                                one.name(),
                                text(one.before()),
                                text(one.after()),
                                read.origin(one.name()).toString(),
                                one.key().reload()))
                .toList();
    }

    private static String text(@Nullable ConfigurationValue value) {
        return value == null ? "" : value.shown();
    }
}
