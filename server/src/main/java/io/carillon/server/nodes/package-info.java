/** What other parts of the server know of the other nodes of its cluster. */
@NullMarked
package io.carillon.server.nodes;

import org.jspecify.annotations.NullMarked;
