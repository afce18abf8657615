/** Targets that take SIP messages, headers and what stands in them. */
@NullMarked
package io.carillon.fuzz.message;

import org.jspecify.annotations.NullMarked;
