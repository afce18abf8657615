/**
 * The SIP protocol core: it takes events and the time, and gives outputs; no I/O, threads or clock.
 */
@NullMarked
package io.carillon.sip;

import org.jspecify.annotations.NullMarked;
