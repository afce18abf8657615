/** How values of applications lie in the bytes of a session, and what does not. */
@NullMarked
package io.carillon.servlet.bytes;

import org.jspecify.annotations.NullMarked;
