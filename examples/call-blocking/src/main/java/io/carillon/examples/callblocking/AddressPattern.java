package io.carillon.examples.callblocking;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * {@code user@host}, or a user or number alone at any host; {@code *} stands for any text. Hosts
 * are compared without regard to case (RFC 3261 19.1.4), users with it. What gateways pass over
 * does not count: separators of a number, parameters behind a user, and the last dot of a host.
 */
final class AddressPattern {
    private final Pattern pattern;

    AddressPattern(String text) {
        int at = text.lastIndexOf('@');
        String user = at < 0 ? text : text.substring(0, at);
        // A number alone is a tel URL's too, which has no host.
        String host = at < 0 ? "(@.*)?" : "@" + glob(host(text.substring(at + 1)));
        pattern = Pattern.compile(glob(user(user)) + host, Pattern.DOTALL);
    }

    /** RFC 3966 5.1.1: visual separators "are ignored" where numbers are compared. */
    static String digits(String number) {
        return number.replaceAll("[-.()\\s]", "");
    }

    /**
     * The user without his parameters; of one that begins as a number the digits, which RFC 3261
     * 19.1.6 takes from a tel URL with its separators.
     */
    static String user(String user) {
        String name = user == null ? "" : user.replaceFirst(";.*", "");
        // RFC 3966 3: a number may begin with a separator too.
        String digits = digits(name);
        return digits.matches("[+]?[0-9].*") ? digits : name;
    }

    /** Small, and without the dot that names the root of the DNS. */
    static String host(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }

    private static String glob(String text) {
        StringBuilder expression = new StringBuilder();
        for (String part : text.split("(?<=\\*)|(?=\\*)")) {
            expression.append(part.equals("*") ? ".*" : Pattern.quote(part));
        }
        return expression.toString();
    }

    boolean matches(String address) {
        return pattern.matcher(address).matches();
    }
}
