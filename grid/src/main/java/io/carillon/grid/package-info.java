/**
 * A node's part in a cluster: copies of calls, votes, and messages between members. Loaded when a
 * cluster is configured.
 */
@NullMarked
package io.carillon.grid;

import org.jspecify.annotations.NullMarked;
