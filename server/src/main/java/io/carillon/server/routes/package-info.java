/** What the application router would do and does: the commands {@code route} and {@code router}. */
@NullMarked
package io.carillon.server.routes;

import org.jspecify.annotations.NullMarked;
