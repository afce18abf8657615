/** Calls beside slow handlers and idle connections. */
@NullMarked
package io.carillon.it.calls;

import org.jspecify.annotations.NullMarked;
