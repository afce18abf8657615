/** A shard: what it takes from the network, and the requests that it sends. */
@NullMarked
package io.carillon.sip.shard;

import org.jspecify.annotations.NullMarked;
