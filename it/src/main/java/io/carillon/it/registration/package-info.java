/** Registrations, and what is left of them after kill -9 or on a full disk. */
@NullMarked
package io.carillon.it.registration;

import org.jspecify.annotations.NullMarked;
