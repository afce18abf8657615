/**
 * SIP messages: immutable, lazy, over one byte array; and the one mutable overlay that prints new
 * ones.
 */
@NullMarked
package io.carillon.sip.message;

import org.jspecify.annotations.NullMarked;
