/** Targets that hold calls with a whole server in virtual time. */
@NullMarked
package io.carillon.fuzz.call;

import org.jspecify.annotations.NullMarked;
