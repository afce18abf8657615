package io.carillon.net.stream;

import io.carillon.net.shard.FailureReport;
import io.carillon.sip.message.SipMessage;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What is to be sent once the handshakes of a connection are over. Owner: the connection's loop.
 */
final class WaitingMessages {

    private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
    private int bytes;

    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    record Waiting(byte[] message, @Nullable FailureReport report) {}

    void add(SipMessage message, @Nullable FailureReport report) {
        // A copy, as of everything that is sent: the sender may write its next message there.
        queue.add(new Waiting(Arrays.copyOf(message.bytes(), message.length()), report));
        bytes += message.length();
    }

    /** The next one, or null when there is none. */
    @Nullable Waiting poll() {
        Waiting next = queue.poll();
        if (next != null) {
            bytes -= next.message().length;
        }
        return next;
    }

    /** Bytes that wait. */
    int bytes() {
        return bytes;
    }
}
