/** Where application code that may block runs. */
@NullMarked
package io.carillon.servlet.threads;

import org.jspecify.annotations.NullMarked;
