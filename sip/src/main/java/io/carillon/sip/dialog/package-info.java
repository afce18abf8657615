/**
 * Dialogs (RFC 3261 12) with forking, re-INVITE and UPDATE rules, reliable provisional responses;
 * no I/O.
 */
@NullMarked
package io.carillon.sip.dialog;

import org.jspecify.annotations.NullMarked;
