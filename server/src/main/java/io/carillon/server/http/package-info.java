/** The HTTP side: metrics and status. */
@NullMarked
package io.carillon.server.http;

import org.jspecify.annotations.NullMarked;
