/** Puts the stack of a shard together, and the layer above that it tells. */
@NullMarked
package io.carillon.sip.stack;

import org.jspecify.annotations.NullMarked;
