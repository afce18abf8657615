/** Session timers (RFC 4028): who refreshes a session, when, and what happens when nobody does. */
@NullMarked
package io.carillon.servlet.feature.refresh;

import org.jspecify.annotations.NullMarked;
