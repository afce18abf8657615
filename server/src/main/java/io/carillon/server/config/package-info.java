/**
 * One set of records is the configuration: parsing, validation and the reference page are made from
 * it.
 */
@NullMarked
package io.carillon.server.config;

import org.jspecify.annotations.NullMarked;
