/** The load generator: open loop, on the core of the server. */
@NullMarked
package io.carillon.lab.load;

import org.jspecify.annotations.NullMarked;
