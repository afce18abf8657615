/** TLS of the running server: its files, its watch, what is seen of it. */
@NullMarked
package io.carillon.server.tls;

import org.jspecify.annotations.NullMarked;
