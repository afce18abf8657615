/**
 * Who gets room: accounts of bytes and transactions, of all and of each source, and the one
 * decision about a request.
 */
@NullMarked
package io.carillon.sip.admission;

import org.jspecify.annotations.NullMarked;
