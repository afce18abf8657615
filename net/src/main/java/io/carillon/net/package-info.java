/**
 * Composes the transports and the shards: what carries bytes to the core and back. Nothing below
 * knows it; docs/how-it-works/architecture.md has the rooms.
 */
@NullMarked
package io.carillon.net;

import org.jspecify.annotations.NullMarked;
