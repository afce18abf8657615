/** From a URI to the hops a message may take. */
@NullMarked
package io.carillon.net.resolve;

import org.jspecify.annotations.NullMarked;
