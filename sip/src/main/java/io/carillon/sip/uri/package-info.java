/**
 * SIP, SIPS and TEL URIs as immutable values over their wire text (RFC 3261 section 19, RFC 3966).
 */
@NullMarked
package io.carillon.sip.uri;

import org.jspecify.annotations.NullMarked;
