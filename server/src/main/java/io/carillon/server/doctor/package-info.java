/**
 * What of the machine costs calls: read from the system, judged, and with the command that mends
 * it.
 */
@NullMarked
package io.carillon.server.doctor;

import org.jspecify.annotations.NullMarked;
