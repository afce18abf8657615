/**
 * The link between routers and nodes, and between nodes: authenticated frames in datagrams. What is
 * in them, who may send them, and what a node does with a message that is not its own. No socket,
 * thread or clock.
 */
@NullMarked
package io.carillon.cluster.link;

import org.jspecify.annotations.NullMarked;
