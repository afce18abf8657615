package io.carillon.server.config;

import java.io.IOException;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;

/**
 * Takes the secrets of a configuration out of text, wherever they stand in it: the last net below
 * the places that write none. Immutable; any thread.
 */
public final class SecretText {
    /** A shorter one stands in many words. */
    private static final int SHORTEST = 4;

    private final List<String> secrets;

    private SecretText(Set<String> secrets) {
        this.secrets =
                secrets.stream()
                        .filter(one -> one.length() >= SHORTEST)
                        .sorted(Comparator.comparingInt(String::length).reversed())
                        .toList();
    }

    /** Of all values of that configuration. */
    public static SecretText of(Configuration configuration) {
        Set<String> found = new LinkedHashSet<>();
        for (ConfigurationValue one : ConfigurationValues.of(configuration).values()) {
            collect(one, found);
        }
        return new SecretText(found);
    }

    /** Of a server whose configuration cannot be read. */
    public static SecretText none() {
        return new SecretText(Set.of());
    }

    private static void collect(ConfigurationValue one, Set<String> found) {
        Object value = one.value();
        if (value instanceof Secret secret) {
            try {
                add(secret.value(), found);
            } catch (IOException absent) {
                return; // nobody has read it either
            }
        } else if (value != null) {
            String text = one.key().shown(value);
            if (one.shown().equals(Secret.SHOWN)) {
                add(text, found);
            }
            Matcher inUrl = Masks.secretsOf(text);
            while (inUrl.find()) {
                add(inUrl.group(inUrl.group(1) == null ? 2 : 1), found);
            }
        }
    }

    private static void add(String secret, Set<String> found) {
        found.add(secret);
        found.add(secret.replace("\\", "\\\\").replace("\"", "\\\"")); // as in JSON
    }

    /** The text with stars in their places. */
    public String masked(String text) {
        String shown = text;
        for (String secret : secrets) {
            shown = shown.replace(secret, Secret.SHOWN);
        }
        return shown;
    }
}
