/** Flows (RFC 5626) as tokens in routes of ours. */
@NullMarked
package io.carillon.sip.flow;

import org.jspecify.annotations.NullMarked;
