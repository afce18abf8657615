/**
 * Overload control between neighbours (RFC 7339, RFC 7415): what a server asks of the clients
 * before it, and what a client sends to the servers behind it.
 */
@NullMarked
package io.carillon.sip.feedback;

import org.jspecify.annotations.NullMarked;
