package io.carillon.pojo;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The {@code info} of a timer that has a name for {@link OnTimer} and data beside it. A timer
 * without data may as well have the name alone, as a String, for its info.
 *
 * @param name of the handler
 * @param data kept with the timer, and written with its application session
 */
public record NamedTimer(String name, @Nullable Serializable data) implements Serializable {}
