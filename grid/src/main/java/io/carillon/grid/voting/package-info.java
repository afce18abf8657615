/** Agreement of voters by Raft, and small messages between members. */
@NullMarked
package io.carillon.grid.voting;

import org.jspecify.annotations.NullMarked;
