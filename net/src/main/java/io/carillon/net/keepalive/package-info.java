/** Keep-alives of flows (RFC 5626 section 4.4): STUN on UDP ports. */
@NullMarked
package io.carillon.net.keepalive;

import org.jspecify.annotations.NullMarked;
