/** A server above its capacity: what it still carries, refuses and loses, and how it recovers. */
@NullMarked
package io.carillon.lab.overload;

import org.jspecify.annotations.NullMarked;
