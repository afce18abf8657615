/** The server in memory of the targets that need a whole one. */
@NullMarked
package io.carillon.fuzz.server;

import org.jspecify.annotations.NullMarked;
