/** The configuration of the running server: what it is, where it came from, and its changes. */
@NullMarked
package io.carillon.server.reload;

import org.jspecify.annotations.NullMarked;
