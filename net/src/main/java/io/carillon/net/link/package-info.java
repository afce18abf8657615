/** A node's end of the link to routers: its sockets, one for each event loop. */
@NullMarked
package io.carillon.net.link;

import org.jspecify.annotations.NullMarked;
