/** The command line. */
@NullMarked
package io.carillon.server.cli;

import org.jspecify.annotations.NullMarked;
