/** Backups: what a server keeps as one file, and the way back. */
@NullMarked
package io.carillon.server.backup;

import org.jspecify.annotations.NullMarked;
