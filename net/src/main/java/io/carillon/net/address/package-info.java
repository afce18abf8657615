/** Hosts: addresses in digits, and the names by which an HTTP server is known. */
@NullMarked
package io.carillon.net.address;

import org.jspecify.annotations.NullMarked;
