/**
 * A server under test and the loads on it, each a process of its own; the search for the highest
 * rate.
 */
@NullMarked
package io.carillon.lab.rig;

import org.jspecify.annotations.NullMarked;
