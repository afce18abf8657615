/**
 * Measurements of whole servers under SIPp's load: against a peer, under held calls, slow
 * applications and hostile connections.
 */
@NullMarked
package io.carillon.bench.load;

import org.jspecify.annotations.NullMarked;
