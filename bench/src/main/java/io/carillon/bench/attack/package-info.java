/** Attacks on a server of its own, beside calls that must not notice ({@code bench attacks}). */
@NullMarked
package io.carillon.bench.attack;

import org.jspecify.annotations.NullMarked;
