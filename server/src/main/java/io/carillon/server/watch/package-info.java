/** Development mode: a folder is compiled and deployed again as its files are saved. */
@NullMarked
package io.carillon.server.watch;

import org.jspecify.annotations.NullMarked;
