/**
 * Copies of calls on several nodes, simulated: a grid in one thread under virtual time and a seed,
 * and the contract that every store of calls has to keep.
 */
@NullMarked
package io.carillon.servlettest.store;

import org.jspecify.annotations.NullMarked;
