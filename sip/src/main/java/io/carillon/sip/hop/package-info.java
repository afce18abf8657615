/**
 * Where a message comes from and goes to, and the wire that takes it there: transports, hops, and
 * the rules of RFC 3261 18, RFC 3263 and RFC 3581 about them.
 */
@NullMarked
package io.carillon.sip.hop;

import org.jspecify.annotations.NullMarked;
