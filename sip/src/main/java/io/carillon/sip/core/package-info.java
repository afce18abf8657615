/** What the transactions of a shard stand on, and its settings. */
@NullMarked
package io.carillon.sip.core;

import org.jspecify.annotations.NullMarked;
