package io.carillon.sip.proxy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a 420 says in Unsupported (RFC 3261 section 20.40). It is repeated until its ACK comes and
 * goes to whoever the request named as its sender, so it says no more than who reads it needs.
 * Functions; any thread.
 */
final class UnknownOptions {
    private static final int MOST = 16;

    /** The longest that is registered has 24 characters. */
    private static final int LONGEST = 64;

    private UnknownOptions() {}

    /**
     * Each tag that is not understood, once: the first 16 of them, and none of more than 64
     * characters.
     *
     * @param understood in lower case
     * @return null when all are understood; empty when none that is not can be named
     */
    static @Nullable String of(List<String> tags, Set<String> understood) {
        List<String> named = new ArrayList<>(2);
        boolean any = false;
        for (String tag : tags) {
            if (named.size() == MOST) {
                break;
            }
            if (!understood.contains(tag.toLowerCase(Locale.ROOT))) {
                any = true;
                if (tag.length() <= LONGEST && named.stream().noneMatch(tag::equalsIgnoreCase)) {
                    named.add(tag);
                }
            }
        }
        return any ? String.join(", ", named) : null;
    }
}
