package io.carillon.servlet.naming;

import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The names below {@code java:comp/env} of one version of an application, and what they stand for.
 * Filled by the deploying thread, read by any.
 */
public final class ApplicationNames {
    /** An archive is one module and one application; sources in the wild write all of these. */
    private static final List<String> ROOTS = List.of("comp/env/", "comp/", "app/", "module/");

    private final ConcurrentSkipListMap<String, Object> values = new ConcurrentSkipListMap<>();

    /**
     * @param name relative to {@code java:comp/env}, or with that in front
     */
    public void bind(String name, Object value) {
        values.put(relative(name), value);
    }

    /** What the name stands for, or null. */
    public @Nullable Object find(String name) {
        return values.get(relative(name));
    }

    /** Whether names lie below this one. */
    boolean isFolder(String name) {
        return name.isEmpty() || !below(name).isEmpty();
    }

    /** The next parts of all names below this one. */
    SortedSet<String> children(String name) {
        int begin = name.isEmpty() ? 0 : name.length() + 1;
        SortedSet<String> parts = new TreeSet<>();
        for (String one : below(name).keySet()) {
            int end = one.indexOf('/', begin);
            parts.add(end < 0 ? one.substring(begin) : one.substring(begin, end));
        }
        return parts;
    }

    /** All names, for messages. */
    SortedSet<String> all() {
        return new TreeSet<>(values.keySet());
    }

    // '0' is the character behind '/'.
    private SortedMap<String, Object> below(String name) {
        return name.isEmpty() ? values : values.subMap(name + '/', name + '0');
    }

    /**
     * The name without {@code java:comp/env/}; {@code java:/comp/env/}, {@code java:/} and {@code
     * java:app/} are commonly written, and a slash in front or twice does no harm.
     */
    static String relative(String name) {
        String rest = stripped(name.startsWith("java:") ? name.substring(5) : name);
        if (rest.equals("comp/env") || rest.equals("comp")) {
            return "";
        }
        for (String root : ROOTS) {
            if (rest.startsWith(root)) {
                return rest.substring(root.length());
            }
        }
        return rest;
    }

    private static String stripped(String name) {
        StringBuilder kept = new StringBuilder(name.length());
        for (String part : name.split("/", -1)) {
            if (!part.isEmpty()) {
                kept.append(kept.isEmpty() ? "" : "/").append(part);
            }
        }
        return kept.toString();
    }
}
