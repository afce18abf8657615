/** Messages of calls to a collector, as HEP version 3 (Homer and others). */
@NullMarked
package io.carillon.server.hep;

import org.jspecify.annotations.NullMarked;
