/** The stateful proxy core: RFC 3261 16 with RFC 5393. */
@NullMarked
package io.carillon.sip.proxy;

import org.jspecify.annotations.NullMarked;
