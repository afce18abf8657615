/** What a container is told when it is made. */
@NullMarked
package io.carillon.servlet.config;

import org.jspecify.annotations.NullMarked;
