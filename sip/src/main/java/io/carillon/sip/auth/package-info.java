/**
 * Digest authentication for both sides: RFC 3261 section 22 with the algorithms and several
 * challenges of RFC 8760. Pure computation over time that is passed in; no store, no thread.
 */
@NullMarked
package io.carillon.sip.auth;

import org.jspecify.annotations.NullMarked;
