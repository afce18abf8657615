/** Targets that take the files that a deployer writes. */
@NullMarked
package io.carillon.fuzz.file;

import org.jspecify.annotations.NullMarked;
