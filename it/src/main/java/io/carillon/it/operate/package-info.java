/** Runs of what an operator does while calls go on: reloads, logs, health. */
@NullMarked
package io.carillon.it.operate;

import org.jspecify.annotations.NullMarked;
