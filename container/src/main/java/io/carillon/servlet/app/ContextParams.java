package io.carillon.servlet.app;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Context parameters that are given outside of archives as {@code APP.NAME=VALUE}, where both names
 * may have dots. They are kept as parted at the first one.
 */
public final class ContextParams {
    private ContextParams() {}

    /**
     * Those of one application. Its own name, and then every parting that gives the rest of it: the
     * longer name wins where both have a value.
     *
     * @param all by the name in front of a dot
     */
    public static Map<String, String> of(Map<String, Map<String, String>> all, String name) {
        Map<String, String> found = new LinkedHashMap<>();
        for (int dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1)) {
            String rest = name.substring(dot + 1) + '.';
            all.getOrDefault(name.substring(0, dot), Map.of())
                    .forEach((key, value) -> {
                        if (key.startsWith(rest) && key.length() > rest.length()) {
                            found.put(key.substring(rest.length()), value);
                        }
                    });
        }
        found.putAll(all.getOrDefault(name, Map.of()));
        return found;
    }

    /** Is that parameter, parted at its first dot, one of this application? */
    public static boolean meant(String front, String key, String name) {
        return (front + '.' + key).startsWith(name + '.');
    }
}
