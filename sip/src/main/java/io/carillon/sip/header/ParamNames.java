package io.carillon.sip.header;

import io.carillon.sip.bytes.Ascii;
import org.jspecify.annotations.Nullable;

/**
 * The parameter names that nearly every message has: each a constant, so that the parameters of a
 * thousand calls share one text. Stateless; any thread.
 */
final class ParamNames {
    /** By length. */
    private static final String[][] KNOWN =
            byLength(
                    "tag",
                    "branch",
                    "rport",
                    "received",
                    "transport",
                    "lr",
                    "crl",
                    "user",
                    "q",
                    "expires",
                    "maddr",
                    "ttl",
                    "ob",
                    "alias");

    private ParamNames() {}

    private static String[][] byLength(String... names) {
        String[][] known = new String[12][];
        for (int length = 0; length < known.length; length++) {
            int wanted = length;
            known[length] =
                    java.util.Arrays.stream(names)
                            .filter(name -> name.length() == wanted)
                            .toArray(String[]::new);
        }
        return known;
    }

    /** The name as it is written; null for any other. */
    static @Nullable String known(byte[] b, int from, int to) {
        if (to - from < KNOWN.length) {
            for (String name : KNOWN[to - from]) {
                if (Ascii.equals(b, from, to, name)) {
                    return name;
                }
            }
        }
        return null;
    }

    /** The name as it is written. */
    static String text(byte[] b, int from, int to) {
        String known = known(b, from, to);
        return known == null ? Ascii.string(b, from, to) : known;
    }
}
