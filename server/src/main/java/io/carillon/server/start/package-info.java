/** Why the server cannot start, for whoever started it. */
@NullMarked
package io.carillon.server.start;

import org.jspecify.annotations.NullMarked;
