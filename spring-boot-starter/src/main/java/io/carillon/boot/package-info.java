/**
 * Carillon inside a Spring Boot application: properties, life cycle, health, metrics, web pages.
 */
@NullMarked
package io.carillon.boot;

import org.jspecify.annotations.NullMarked;
