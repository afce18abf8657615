package io.carillon.server.api;

import io.carillon.server.access.Role;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an event stream tells of.
 *
 * @param name of the events
 * @param role that hears them
 * @param state whether a text is how things are, which is sent when it is another than before; else
 *     it is news, which every stream gets once
 * @param now JSON in one line; null: nothing. Called once a second while anybody listens
 */
record Topic(String name, Role role, boolean state, Supplier<@Nullable String> now) {}
