/**
 * Tests of SIP servlet applications in one thread, under virtual time, without ports: a JUnit
 * extension over the container and the test kit.
 */
@NullMarked
package io.carillon.servlettest;

import org.jspecify.annotations.NullMarked;
