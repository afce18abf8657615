/**
 * Acceptance runs: the built server from outside, as its users have it. Each says whether it went
 * well.
 */
@NullMarked
package io.carillon.it;

import org.jspecify.annotations.NullMarked;
