/** A server as a node of a cluster. Loaded only where one is configured. */
@NullMarked
package io.carillon.server.cluster;

import org.jspecify.annotations.NullMarked;
