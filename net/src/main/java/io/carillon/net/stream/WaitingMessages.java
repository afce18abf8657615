package io.carillon.net.stream;

import io.carillon.net.shard.FailureReport;
import io.carillon.sip.message.SipMessage;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What is to be sent once the handshakes of a connection are over. Owner: the connection's loop.
 */
final class WaitingMessages {

    private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
    private int bytes;

    record Waiting(SipMessage message, @Nullable FailureReport report) {}

    void add(SipMessage message, @Nullable FailureReport report) {
        queue.add(new Waiting(message, report));
        bytes += message.length();
    }

    /** The next one, or null when there is none. */
    @Nullable Waiting poll() {
        Waiting next = queue.poll();
        if (next != null) {
            bytes -= next.message().length();
        }
        return next;
    }

    /** Bytes that wait. */
    int bytes() {
        return bytes;
    }
}
