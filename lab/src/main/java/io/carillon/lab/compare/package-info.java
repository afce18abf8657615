/**
 * Comparisons of servers under the same load, each figure as a ratio within one run: CPU per call
 * in pairs of windows, the highest clean rate, one shard against two.
 */
@NullMarked
package io.carillon.lab.compare;

import org.jspecify.annotations.NullMarked;
