/** Calls that the server makes to itself before READY, so that the first real ones find it warm. */
@NullMarked
package io.carillon.server.warmup;

import org.jspecify.annotations.NullMarked;
