/** The states of a node, and what it does in each. */
@NullMarked
package io.carillon.cluster.member;

import org.jspecify.annotations.NullMarked;
