/** Targets that take the bytes of what is beside SIP on the network: STUN, DNS, WebSocket. */
@NullMarked
package io.carillon.fuzz.net;

import org.jspecify.annotations.NullMarked;
