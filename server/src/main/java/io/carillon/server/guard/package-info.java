/** The guard's configuration, and the commands that show and lift bans. */
@NullMarked
package io.carillon.server.guard;

import org.jspecify.annotations.NullMarked;
