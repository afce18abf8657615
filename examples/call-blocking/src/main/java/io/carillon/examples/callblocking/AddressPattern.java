package io.carillon.examples.callblocking;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * {@code user@host}, or a user or number alone at any host; {@code *} stands for any text. Hosts
 * are compared without regard to case (RFC 3261 19.1.4), users with it.
 */
final class AddressPattern {
    private final Pattern pattern;

    AddressPattern(String text) {
        int at = text.lastIndexOf('@');
        String user = at < 0 ? text : text.substring(0, at);
        // A number alone is a tel URL's too, which has no host.
        String host =
                at < 0 ? "(@.*)?" : "@" + glob(text.substring(at + 1).toLowerCase(Locale.ROOT));
        pattern = Pattern.compile(glob(user) + host, Pattern.DOTALL);
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
