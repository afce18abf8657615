/** Copies of calls on other nodes, held by Infinispan. */
@NullMarked
package io.carillon.grid.store;

import org.jspecify.annotations.NullMarked;
