/** What the voters of a cluster agree by. */
@NullMarked
package io.carillon.cluster.voting;

import org.jspecify.annotations.NullMarked;
