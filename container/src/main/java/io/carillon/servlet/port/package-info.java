/**
 * What sessions and messages need of their host, and the values that features hand to each other:
 * nothing here knows a session or a message of ours.
 */
@NullMarked
package io.carillon.servlet.port;

import org.jspecify.annotations.NullMarked;
