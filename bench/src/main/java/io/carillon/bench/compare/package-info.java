/**
 * The comparison of the server with a peer: both in turn under the same load, CPU per call beside
 * the latency that was paid for it.
 */
@NullMarked
package io.carillon.bench.compare;

import org.jspecify.annotations.NullMarked;
