/** Who a peer is for the limits that hold for each, and what of a bounded whole each holds. */
@NullMarked
package io.carillon.sip.guard;

import org.jspecify.annotations.NullMarked;
