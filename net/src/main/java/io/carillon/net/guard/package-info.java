/**
 * What keeps strangers from taking the server: rates and bans per source address, decided in the
 * I/O loop before a message is parsed. Everything here has a fixed size.
 */
@NullMarked
package io.carillon.net.guard;

import org.jspecify.annotations.NullMarked;
