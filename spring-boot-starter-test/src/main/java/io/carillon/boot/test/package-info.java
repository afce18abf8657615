/** Tests of SIP handlers in a Spring Boot application: virtual time, no ports. */
@NullMarked
package io.carillon.boot.test;

import org.jspecify.annotations.NullMarked;
