/**
 * The HTTP half of converged applications as far as it does not depend on an HTTP server: what the
 * two halves share, and how HTTP sessions belong to application sessions.
 */
@NullMarked
package io.carillon.servlet.feature.http;

import org.jspecify.annotations.NullMarked;
