/**
 * Above its capacity: how long messages wait, what is refused then, and how that is answered before
 * anything is parsed.
 */
@NullMarked
package io.carillon.sip.overload;

import org.jspecify.annotations.NullMarked;
