package io.carillon.server.config;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A configuration, and where each of its values came from. Immutable.
 *
 * @param configuration that was read
 * @param origins by the names of keys and sections that something was said of
 * @param warnings sentences for the log
 */
public record ReadConfiguration(
        Configuration configuration, Map<String, Origin> origins, List<String> warnings) {
    public ReadConfiguration {
        origins = Map.copyOf(origins);
        warnings = List.copyOf(warnings);
    }

    /** What was read, and made of it. */
    public ReadConfiguration with(Configuration made) {
        return new ReadConfiguration(made, origins, warnings);
    }

    /** A configuration that nobody read. */
    public static ReadConfiguration made(Configuration configuration) {
        return new ReadConfiguration(configuration, Map.of(), List.of());
    }

    /** The origin of a key's value. */
    public Origin origin(String key) {
        return origins.getOrDefault(key, Origin.DEFAULT);
    }

    /**
     * Where a key stands, or the nearest section around it: for faults that are seen only when the
     * setting is used. Null when nothing was said of either.
     */
    public @Nullable Origin place(String key) {
        for (String name = key; !name.isEmpty(); name = outer(name)) {
            Origin found = origins.get(name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** {@code a.b[1].c} is in {@code a.b[1]}, that in {@code a.b}, that in {@code a}. */
    private static String outer(String name) {
        return name.substring(
                0, Math.max(0, Math.max(name.lastIndexOf('.'), name.lastIndexOf('['))));
    }
}
