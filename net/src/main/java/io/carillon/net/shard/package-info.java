/** Event loops, each of which owns one shard of calls. */
@NullMarked
package io.carillon.net.shard;

import org.jspecify.annotations.NullMarked;
