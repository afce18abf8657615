package io.carillon.server.config;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The value of a key, with the names of maps and the numbers of lists in the key's name, as in
 * {@code peers.acme.weight}. A value: any thread.
 *
 * @param name with the section
 * @param key what is said about it
 * @param value of the record; null: none
 */
public record ConfigurationValue(String name, ConfigurationKey key, @Nullable Object value) {
    /** As a user would write it; a secret as stars. */
    public String shown() {
        if (value instanceof Secret secret) {
            return secret.toString();
        }
        if (value == null) {
            String standard = key.setting().standardText();
            return standard.isEmpty() ? "none" : "none (" + standard.replace("`", "") + ")";
        }
        if (key.isMap() && Masks.secretName(name.substring(name.lastIndexOf('.') + 1))) {
            return Secret.SHOWN;
        }
        return Masks.url(key.shown(value));
    }

    /** Is it another value? */
    boolean differs(@Nullable ConfigurationValue other) {
        return other == null || !Objects.equals(value, other.value);
    }
}
