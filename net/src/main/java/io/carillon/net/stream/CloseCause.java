package io.carillon.net.stream;

import io.carillon.net.count.NetworkCounter;
import io.carillon.net.guard.SourceRefusal;

/** Why a stream connection ended. */
public enum CloseCause {
    /** The peer closed or reset it. */
    PEER(NetworkCounter.CLOSED_BY_PEER),
    /** The network failed below it. */
    ERROR(NetworkCounter.CLOSED_BY_ERROR),
    /** It could not be opened. */
    CONNECT_FAILED(NetworkCounter.CLOSED_CONNECT_FAILED),
    /** It was not open within the connect time-out. */
    CONNECT_TIMEOUT(NetworkCounter.CLOSED_CONNECT_TIMEOUT),
    /** TLS failed: no common version, a certificate not believed, or bytes that are no TLS. */
    TLS_FAILED(NetworkCounter.CLOSED_TLS_FAILED),
    /** The TLS handshake was not over in time. */
    TLS_TIMEOUT(NetworkCounter.CLOSED_HANDSHAKE_TIMEOUT),
    /** The WebSocket upgrade was refused, by us or by the peer. */
    UPGRADE_REFUSED(NetworkCounter.CLOSED_UPGRADE_REFUSED),
    /** The WebSocket upgrade was not over in time. */
    UPGRADE_TIMEOUT(NetworkCounter.CLOSED_UPGRADE_TIMEOUT),
    /** It never completed a first message in the time given. */
    SILENT(NetworkCounter.CLOSED_NO_FIRST_MESSAGE),
    /** One that we opened, on which no message ever came in the time of a transaction. */
    UNANSWERED(NetworkCounter.CLOSED_UNANSWERED),
    /** A message took longer than the message time-out from its first byte to its last. */
    SLOW_MESSAGE(NetworkCounter.CLOSED_SLOW_MESSAGE),
    /** Nothing was sent or received for the idle limit. */
    IDLE(NetworkCounter.CLOSED_IDLE),
    /** It did not answer a keep-alive of ours in time. */
    NO_PONG(NetworkCounter.CLOSED_NO_PONG),
    /** The bytes on it were no SIP, so nothing after them can be trusted. */
    MALFORMED(NetworkCounter.CLOSED_MALFORMED),
    /** The peer sent WebSocket pings faster than allowed. */
    PING_FLOOD(NetworkCounter.CLOSED_PING_FLOOD),
    /** The peer sent WebSocket frames that end no message faster than allowed. */
    FRAGMENT_FLOOD(NetworkCounter.CLOSED_FRAGMENT_FLOOD),
    /** The peer did not read what was sent to it, and the write queue was full. */
    WRITE_QUEUE_FULL(NetworkCounter.CLOSED_WRITE_QUEUE_FULL),
    /** There were too many connections, in total (and its source held most) or from its address. */
    TOO_MANY(NetworkCounter.CLOSED_TOO_MANY),
    /** Its source sends more than one may. */
    TOO_FAST(NetworkCounter.CLOSED_TOO_FAST),
    /** Its source is banned. */
    BANNED(NetworkCounter.CLOSED_BANNED),
    /** Unfinished messages of all connections together held too much, its source's most. */
    BUFFERS_FULL(NetworkCounter.CLOSED_UNFINISHED_MESSAGES),
    /** The network stopped. */
    SHUTDOWN(NetworkCounter.CLOSED_SHUTDOWN);

    private final NetworkCounter counter;

    CloseCause(NetworkCounter counter) {
        this.counter = counter;
    }

    /** What ends the connection of a source that is not listened to. */
    static CloseCause of(SourceRefusal refusal) {
        return switch (refusal) {
            case BANNED -> BANNED;
            case TOO_FAST -> TOO_FAST;
        };
    }

    /** What counts such ends. */
    public NetworkCounter counter() {
        return counter;
    }
}
