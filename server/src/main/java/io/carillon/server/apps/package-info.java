/** Deploying into a running server: the watched folder, and the list of applications. */
@NullMarked
package io.carillon.server.apps;

import org.jspecify.annotations.NullMarked;
