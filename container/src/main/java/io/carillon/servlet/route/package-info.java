/**
 * The application router: how the container finds it, and the default one with its properties file.
 */
@NullMarked
package io.carillon.servlet.route;

import org.jspecify.annotations.NullMarked;
