/** Calls of another node go on here: their records are known, and read when somebody asks. */
@NullMarked
package io.carillon.servlet.feature.adopt;

import org.jspecify.annotations.NullMarked;
