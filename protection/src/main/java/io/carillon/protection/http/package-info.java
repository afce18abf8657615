/** What keeps strangers from taking a web server that is Jetty. */
@NullMarked
package io.carillon.protection.http;

import org.jspecify.annotations.NullMarked;
