/** Seeing calls from outside: who looks on at messages and handlers. */
@NullMarked
package io.carillon.telemetry;

import org.jspecify.annotations.NullMarked;
