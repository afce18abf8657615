/** The server's database: users, and the applications' own tables. */
@NullMarked
package io.carillon.server.data;

import org.jspecify.annotations.NullMarked;
