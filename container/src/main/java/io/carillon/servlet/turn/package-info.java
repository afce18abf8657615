/** One piece of work at a time: the turn of an application session, and what waits for it. */
@NullMarked
package io.carillon.servlet.turn;

import org.jspecify.annotations.NullMarked;
