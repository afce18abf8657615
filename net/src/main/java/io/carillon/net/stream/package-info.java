/** Connections: framing, reuse, limits, and what happens when they die. */
@NullMarked
package io.carillon.net.stream;

import org.jspecify.annotations.NullMarked;
