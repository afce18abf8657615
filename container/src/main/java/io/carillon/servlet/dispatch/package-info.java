/**
 * From a message to the application code that handles it: lookup, routing, the call itself, and
 * what its errors become.
 */
@NullMarked
package io.carillon.servlet.dispatch;

import org.jspecify.annotations.NullMarked;
