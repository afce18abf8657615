/** How the phones of a run reach routers. */
@NullMarked
package io.carillon.it.line;

import org.jspecify.annotations.NullMarked;
