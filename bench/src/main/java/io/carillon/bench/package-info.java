/** Measurements of Carillon and of its peers. */
@NullMarked
package io.carillon.bench;

import org.jspecify.annotations.NullMarked;
