package io.carillon.pojo.engine;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A bean of a session.
 *
 * @param name what its framework calls it
 * @param instance the bean
 * @param creation what its framework needs to destroy it, or null
 */
public record ScopedInstance(String name, Object instance, @Nullable Object creation)
        implements Serializable {}
