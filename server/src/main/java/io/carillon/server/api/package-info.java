/** Administration by HTTP: operations under /api/v1, their description, who may use them. */
@NullMarked
package io.carillon.server.api;

import org.jspecify.annotations.NullMarked;
