/** The server transactions of a shard (RFC 3261 17.2), and the way of a request to them. */
@NullMarked
package io.carillon.sip.server;

import org.jspecify.annotations.NullMarked;
