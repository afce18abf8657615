/** The four transactions of RFC 3261 section 17 as updated by RFC 6026 and RFC 4320. */
@NullMarked
package io.carillon.sip.transaction;

import org.jspecify.annotations.NullMarked;
