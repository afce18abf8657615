package io.carillon.server.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a source of values, beside its name.
 *
 * @param kind of source
 * @param folder where relative paths start; null: the working directory
 */
record SourcePlace(Origin.Kind kind, @Nullable Path folder) {}
