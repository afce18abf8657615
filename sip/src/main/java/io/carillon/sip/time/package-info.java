/** Timers of a shard: one wheel, intrusive nodes, time passed in as nanoseconds. */
@NullMarked
package io.carillon.sip.time;

import org.jspecify.annotations.NullMarked;
