/** Whether the server lives, has started, and may get calls: what probes are answered. */
@NullMarked
package io.carillon.server.health;

import org.jspecify.annotations.NullMarked;
