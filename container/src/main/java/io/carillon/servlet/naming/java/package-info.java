/** Where JNDI looks for the factory of {@code java:} names; package and class are named for it. */
@NullMarked
package io.carillon.servlet.naming.java;

import org.jspecify.annotations.NullMarked;
