/** A network in memory, in real time, with loss, duplication, delay and reordering. */
@NullMarked
package io.carillon.net.loop;

import org.jspecify.annotations.NullMarked;
