/**
 * What an application finds by {@code java:comp/env}: the services of the container under {@code
 * sip/NAME/}, its own {@code env-entry}s, the server's database.
 */
@NullMarked
package io.carillon.servlet.naming;

import org.jspecify.annotations.NullMarked;
