/** The one event at work on a shard, and the one queue that leads to it. */
@NullMarked
package io.carillon.sip.event;

import org.jspecify.annotations.NullMarked;
