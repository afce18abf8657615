/**
 * Spans of calls: what a call did, from its first message or the page that began it to its end, and
 * whether it is kept. Nothing here knows a library of telemetry.
 */
@NullMarked
package io.carillon.telemetry.spans;

import org.jspecify.annotations.NullMarked;
