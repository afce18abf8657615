/** What every target uses: how it says that something does not hold, how it reads its input. */
@NullMarked
package io.carillon.fuzz.check;

import org.jspecify.annotations.NullMarked;
