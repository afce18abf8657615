/** Ranges of addresses, as settings name them. Values. */
@NullMarked
package io.carillon.sip.address;

import org.jspecify.annotations.NullMarked;
