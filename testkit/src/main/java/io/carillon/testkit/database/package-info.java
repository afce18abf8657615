/** A real database for a test or a trial. */
@NullMarked
package io.carillon.testkit.database;

import org.jspecify.annotations.NullMarked;
