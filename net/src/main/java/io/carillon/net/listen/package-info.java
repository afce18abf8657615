/** Listening points: what is asked for, what was bound, and why it could not be. */
@NullMarked
package io.carillon.net.listen;

import org.jspecify.annotations.NullMarked;
