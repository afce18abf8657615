/**
 * Messages, addresses and URIs as applications see them: live, checked views over immutable values
 * of {@code io.carillon.sip}. Everything here belongs to whoever holds the turn of the application
 * session.
 */
@NullMarked
package io.carillon.servlet.message;

import org.jspecify.annotations.NullMarked;
