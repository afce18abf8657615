/**
 * One address for many nodes: SIP messages are forwarded by their bytes to the node that owns their
 * call, and what nodes send leaves from here. No transaction, no state of a call.
 */
@NullMarked
package io.carillon.router;

import org.jspecify.annotations.NullMarked;
