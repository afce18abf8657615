/** {@code carillon watch}, as a developer meets it. */
@NullMarked
package io.carillon.it.watch;

import org.jspecify.annotations.NullMarked;
