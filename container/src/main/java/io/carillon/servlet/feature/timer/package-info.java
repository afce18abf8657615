/** Servlet timers on the wheels of the shards. */
@NullMarked
package io.carillon.servlet.feature.timer;

import org.jspecify.annotations.NullMarked;
