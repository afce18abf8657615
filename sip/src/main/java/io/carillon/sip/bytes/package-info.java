/**
 * Bytes and characters of the SIP grammar: token tables, number parsing, a growable writer. No
 * protocol rules live here.
 */
@NullMarked
package io.carillon.sip.bytes;

import org.jspecify.annotations.NullMarked;
