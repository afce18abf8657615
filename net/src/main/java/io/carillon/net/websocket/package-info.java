/** WebSocket as SIP needs it (RFC 6455, RFC 7118): upgrade and frames, without a socket. */
@NullMarked
package io.carillon.net.websocket;

import org.jspecify.annotations.NullMarked;
