/** Traces of calls that were kept, as the console draws them. */
@NullMarked
package io.carillon.server.spans;

import org.jspecify.annotations.NullMarked;
