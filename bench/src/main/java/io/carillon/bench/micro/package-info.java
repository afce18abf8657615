/** JMH: what one message costs to parse, to print and to route, in time and in bytes allocated. */
@NullMarked
package io.carillon.bench.micro;

import org.jspecify.annotations.NullMarked;
