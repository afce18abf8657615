/** Numbers, text and columns one behind the other. */
@NullMarked
package io.carillon.cluster.bytes;

import org.jspecify.annotations.NullMarked;
