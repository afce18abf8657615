/** Commands to the running server over a Unix socket that only its owner may open. */
@NullMarked
package io.carillon.server.control;

import org.jspecify.annotations.NullMarked;
