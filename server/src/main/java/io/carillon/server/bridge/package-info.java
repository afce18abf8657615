/** Interfaces of other vendors that are no part of Carillon, and are fetched by who wants them. */
@NullMarked
package io.carillon.server.bridge;

import org.jspecify.annotations.NullMarked;
