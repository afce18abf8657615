package io.carillon.servlet.app;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entry of an application's {@code java:comp/env} that its descriptors declare. Immutable.
 *
 * @param name relative to {@code java:comp/env}
 * @param type class name of what it stands for
 * @param value of an {@code env-entry}; null for a reference to a resource
 * @param otherName the name that it is another one for; null: the type says what is meant
 * @param targets fields or properties that get it
 * @param declared file, line and element, for messages
 */
public record NamedResource(
        String name,
        String type,
        @Nullable Object value,
        @Nullable String otherName,
        List<Target> targets,
        String declared) {
    /** A field, or the property of a setter. */
    public record Target(String className, String member) {}

    public NamedResource {
        targets = List.copyOf(targets);
    }
}
