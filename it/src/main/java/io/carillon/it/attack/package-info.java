/**
 * Attacks on a server of its own, beside calls that must not notice ({@code ./carillon it
 * attacks}).
 */
@NullMarked
package io.carillon.it.attack;

import org.jspecify.annotations.NullMarked;
