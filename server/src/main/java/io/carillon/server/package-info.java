/** The server: configuration, life cycle, administration and command line. */
@NullMarked
package io.carillon.server;

import org.jspecify.annotations.NullMarked;
