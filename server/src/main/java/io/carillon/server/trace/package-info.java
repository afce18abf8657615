/**
 * Traces of calls: what is recorded, of which calls, and how it is read back with its secrets
 * hidden. What is shown of it is in {@code ladder}.
 */
@NullMarked
package io.carillon.server.trace;

import org.jspecify.annotations.NullMarked;
