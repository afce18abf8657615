package io.carillon.net.address;

import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * The names by which an HTTP server is known. A page elsewhere may let its own name lead to our
 * address (DNS rebinding): to the browser our pages are then pages of its own, so that no Origin
 * tells the difference. Addresses and {@code localhost} are no names that anybody else could have
 * (RFC 6761 section 6.3), and are always known. Immutable; any thread.
 */
public final class HostNames {
    private final Set<String> names = new HashSet<>();

    /**
     * @param configured host names; {@code .example.com} stands for all below it, {@code *} for all
     */
    public HostNames(Collection<String> configured) {
        configured.forEach(name -> names.add(plain(name)));
    }

    /**
     * Is it one of them?
     *
     * @param host of a Host header, without its port
     */
    public boolean knows(String host) {
        String name = plain(host);
        if (isAddress(name) || name.equals("localhost") || name.endsWith(".localhost")) {
            return true;
        }
        if (names.contains(name) || names.contains("*")) {
            return true;
        }
        for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
            if (names.contains(name.substring(dot))) {
                return true;
            }
        }
        return false;
    }

    /** The last part of a name in the DNS is never a number (RFC 3696 section 2). */
    private static boolean isAddress(String host) {
        return host.indexOf(':') >= 0
                || host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
    }

    private static String plain(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.length() > 1 && lower.endsWith(".")
                ? lower.substring(0, lower.length() - 1)
                : lower;
    }
}
