/** The client transactions of a shard (RFC 3261 17.1). */
@NullMarked
package io.carillon.sip.client;

import org.jspecify.annotations.NullMarked;
