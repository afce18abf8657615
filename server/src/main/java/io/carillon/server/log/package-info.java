/** What the server's log looks like: lines that nobody outside can forge. */
@NullMarked
package io.carillon.server.log;

import org.jspecify.annotations.NullMarked;
