package io.carillon.servlet.feature.proxy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The To tags of the 2xx that have passed a proxy: a String for the usual one, a list for those of
 * forks. A further 2xx with one of them is a repeat (RFC 3261 13.3.1.4). Pure functions.
 */
final class AnsweredTags {
    private AnsweredTags() {}

    /** Has one with that tag passed? */
    static boolean has(@Nullable Object passed, @Nullable String tag) {
        String name = name(tag);
        return passed instanceof List<?> several ? several.contains(name) : name.equals(passed);
    }

    /** Those and that one. */
    static Object with(@Nullable Object passed, @Nullable String tag) {
        String name = name(tag);
        if (passed == null) {
            return name;
        }
        if (has(passed, tag)) {
            return passed;
        }
        List<Object> several = new ArrayList<>(2);
        if (passed instanceof List<?> known) {
            several.addAll(known);
        } else {
            several.add(passed);
        }
        several.add(name);
        return several;
    }

    /** A peer of RFC 2543 may have none. */
    private static String name(@Nullable String tag) {
        return tag == null ? "" : tag;
    }
}
