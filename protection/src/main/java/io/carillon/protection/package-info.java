/** What keeps strangers from taking a server: one set of limits for all who compose one. */
@NullMarked
package io.carillon.protection;

import org.jspecify.annotations.NullMarked;
