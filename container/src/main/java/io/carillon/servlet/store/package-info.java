/** Session state as a value, and where it is kept. */
@NullMarked
package io.carillon.servlet.store;

import org.jspecify.annotations.NullMarked;
