/** Targets that take the bytes of state that comes back from a store. */
@NullMarked
package io.carillon.fuzz.state;

import org.jspecify.annotations.NullMarked;
