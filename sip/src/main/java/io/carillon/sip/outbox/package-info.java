/** How messages leave, and what the stack answers by itself. */
@NullMarked
package io.carillon.sip.outbox;

import org.jspecify.annotations.NullMarked;
