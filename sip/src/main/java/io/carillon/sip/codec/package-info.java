/**
 * From bytes to messages: the datagram parser, the stream framer, and the named violations either
 * tolerates.
 */
@NullMarked
package io.carillon.sip.codec;

import org.jspecify.annotations.NullMarked;
