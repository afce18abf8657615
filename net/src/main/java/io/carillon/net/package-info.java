/** Transports and shards: what carries bytes to the core and back. */
@NullMarked
package io.carillon.net;

import org.jspecify.annotations.NullMarked;
