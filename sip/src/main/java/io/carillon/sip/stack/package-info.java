/**
 * The shard, which wires parser, transactions and timers, and the faces to the layers below and
 * above it.
 */
@NullMarked
package io.carillon.sip.stack;

import org.jspecify.annotations.NullMarked;
