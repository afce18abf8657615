/** A rolling upgrade of a cluster under load, forward and back. */
@NullMarked
package io.carillon.it.upgrade;

import org.jspecify.annotations.NullMarked;
