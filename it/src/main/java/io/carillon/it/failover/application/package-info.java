/**
 * What the nodes of a trial cluster serve beside the examples: an application whose calls show the
 * kinds that no example has, and that writes down each of its timers.
 */
@NullMarked
package io.carillon.it.failover.application;

import org.jspecify.annotations.NullMarked;
