/** Session state as a value, and where it is kept. */
@NullMarked
package io.carillon.servlet.feature.store;

import org.jspecify.annotations.NullMarked;
