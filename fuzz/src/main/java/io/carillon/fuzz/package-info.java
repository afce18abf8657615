/** What must hold for any bytes, and the command that has Jazzer try. */
@NullMarked
package io.carillon.fuzz;

import org.jspecify.annotations.NullMarked;
