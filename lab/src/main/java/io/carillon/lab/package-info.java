/** The load lab: {@code ./carillon load} and {@code ./carillon lab}. */
@NullMarked
package io.carillon.lab;

import org.jspecify.annotations.NullMarked;
