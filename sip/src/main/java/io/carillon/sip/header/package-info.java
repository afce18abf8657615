/** Header names and the typed, immutable views of header values (RFC 3261 section 20). */
@NullMarked
package io.carillon.sip.header;

import org.jspecify.annotations.NullMarked;
