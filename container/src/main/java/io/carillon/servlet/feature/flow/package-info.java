/** Flows of user agents of ours (RFC 5626): kept alive, and given up when they are gone. */
@NullMarked
package io.carillon.servlet.feature.flow;

import org.jspecify.annotations.NullMarked;
