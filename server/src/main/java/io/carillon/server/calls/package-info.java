/** The calls that are held: listed, shown in detail, hung up, on an operator's command. */
@NullMarked
package io.carillon.server.calls;

import org.jspecify.annotations.NullMarked;
