/** A cluster that loses a node while calls are up, and what becomes of the calls. */
@NullMarked
package io.carillon.it.failover;

import org.jspecify.annotations.NullMarked;
