package io.carillon.sip.codec;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.HeaderName;
import java.util.Arrays;

/**
 * Cuts a byte stream (TCP, TLS) into messages by their Content-Length (RFC 3261 18.3). Owned by the
 * connection's thread. Memory grows with the bytes that came, never with what they declare. After
 * {@link Sink#malformed} the framing is lost: later bytes are ignored and the connection is to be
 * closed.
 */
public final class StreamFramer {
    /** Takes what the framer finds; called from within {@link #feed}. */
    public interface Sink {
        /**
         * One whole message.
         *
         * @param owned an array of its own
         */
        void message(byte[] owned, int len);

        /** CRLF CRLF between messages: RFC 5626 4.4.1 wants a CRLF back. */
        void keepAlivePing();

        /** A CRLF between messages: the answer to a ping of ours, or the first half of one. */
        default void lineBreak() {}

        /**
         * Line breaks that are neither a ping nor its answer, 16 bytes of them: to be ignored, and
         * counted, since there may be no end of them.
         */
        default void strayLineBreaks() {}

        /**
         * The stream cannot be framed any further.
         *
         * @param status status code for an answer, if there is something to answer to
         * @param head start line and headers as far as they came, or empty when this is no SIP
         */
        void malformed(int status, String reason, byte[] head);
    }

    /** Bytes of line breaks out of order that are told as one. */
    private static final int STRAY = 16;

    /** Bytes that are appended at once to headers that wait for their end. */
    private static final int LEAST_APPENDED = 512;

    private static final byte[] EMPTY = {};

    private final MessageLimits limits;

    /** What waits, between two calls of {@link #feed}; without a byte where nothing does. */
    private byte[] buffer = EMPTY;

    private int start;
    private int end;

    /** Bytes of the message that were searched for the end of its headers; only grows. */
    private int searched;

    /** Bytes of the whole message once its headers are known, else 0. */
    private int messageBytes;

    private boolean startLineSeen;
    private int lineBreaks;
    private int stray;
    private boolean broken;

    public StreamFramer(MessageLimits limits) {
        this.limits = limits;
    }

    /** Is part of a message waiting for its rest? */
    public boolean midMessage() {
        return end > start;
    }

    /** Bytes of memory held: the whole buffer, also what of it is not used yet. */
    public long bytesBuffered() {
        return buffer.length;
    }

    /** Takes the next bytes of the stream; the array stays the caller's. */
    public void feed(byte[] b, int off, int len, Sink sink) {
        int p = off;
        int to = off + len;
        while (!broken && start < end && p < to) {
            int taken = Math.min(to - p, wanted());
            append(b, p, taken);
            p += taken;
            int begin = start;
            run(sink);
            if (start != begin) {
                // The message that waited is whole. What is left came just now: it is cut out of
                // the caller's array.
                p -= end - start;
                release();
            }
        }
        if (!broken && p < to) {
            buffer = b;
            start = p;
            end = to;
            run(sink);
            byte[] rest = broken || start == end ? EMPTY : Arrays.copyOfRange(b, start, end);
            buffer = rest;
            start = 0;
            end = rest.length;
        }
        if (broken) {
            release();
        }
    }

    /** Bytes that are taken to what waits: the rest of its message, where that is known. */
    private int wanted() {
        int held = end - start;
        return messageBytes > 0 ? messageBytes - held : Math.max(LEAST_APPENDED, held);
    }

    private void release() {
        buffer = EMPTY;
        start = 0;
        end = 0;
    }

    /** Grows by what came, and at most to twice of it. */
    private void append(byte[] b, int off, int len) {
        int held = end - start;
        if (len > buffer.length - end) {
            int most = messageBytes > 0 ? messageBytes : limits.maxMessageBytes();
            byte[] room = new byte[Math.max(held + len, Math.min(2 * held, most))];
            System.arraycopy(buffer, start, room, 0, held);
            buffer = room;
            start = 0;
            end = held;
        }
        System.arraycopy(b, off, buffer, end, len);
        end += len;
    }

    private void run(Sink sink) {
        while (!broken && start < end) {
            if (messageBytes == 0) {
                if (searched == 0 && !skipLineBreaks(sink)) {
                    return;
                }
                if (!findHeaders(sink)) {
                    return;
                }
            }
            if (end - start < messageBytes) {
                return;
            }
            byte[] owned = Arrays.copyOfRange(buffer, start, start + messageBytes);
            start += messageBytes;
            messageBytes = 0;
            searched = 0;
            startLineSeen = false;
            sink.message(owned, owned.length);
        }
    }

    // RFC 5626 4.4.1: a double CRLF between messages is a ping. RFC 3261 7.5: any other CRLF before
    // a
    // start line is ignored.
    /** Skips line breaks before a message; true when a message's first byte is there. */
    private boolean skipLineBreaks(Sink sink) {
        while (start < end && (buffer[start] == '\r' || buffer[start] == '\n')) {
            boolean expected = buffer[start] == ((lineBreaks & 1) == 0 ? '\r' : '\n');
            lineBreaks = expected ? lineBreaks + 1 : buffer[start] == '\r' ? 1 : 0;
            start++;
            if (!expected && ++stray == STRAY) {
                stray = 0;
                sink.strayLineBreaks();
            }
            if (lineBreaks == 2) {
                sink.lineBreak();
            }
            if (lineBreaks == 4) {
                lineBreaks = 0;
                sink.keepAlivePing();
            }
        }
        if (start == end) {
            return false;
        }
        lineBreaks = 0;
        if (!Ascii.isToken(buffer[start])) {
            fail(sink, 400, "No SIP", 0);
            return false;
        }
        return true;
    }

    /** Looks for the empty line; true when the length of the message is known. */
    private boolean findHeaders(Sink sink) {
        int p = start + searched;
        for (; p < end; p++) {
            if (buffer[p] != '\n' || p == start || buffer[p - 1] != '\r') {
                continue;
            }
            if (!startLineSeen) {
                startLineSeen = true;
                if (!looksLikeSip(p - 1)) {
                    fail(sink, 400, "No SIP", 0);
                    return false;
                }
            }
            if (p - start >= 3 && buffer[p - 2] == '\n' && buffer[p - 3] == '\r') {
                return headersEnd(p + 1, sink);
            }
        }
        searched = end - start;
        if (searched > (startLineSeen ? limits.maxHeadBytes() : limits.maxHeaderBytes())) {
            fail(sink, 513, "Message Too Large", startLineSeen ? searched : 0);
        }
        return false;
    }

    private boolean looksLikeSip(int lineEnd) {
        for (int p = start; p + 4 <= lineEnd; p++) {
            if ((p == start || buffer[p - 1] == ' ')
                    && Ascii.equalsIgnoreCase(buffer, p, p + 4, "SIP/")) {
                return true;
            }
        }
        return false;
    }

    private boolean headersEnd(int bodyStart, Sink sink) {
        int head = bodyStart - start;
        searched = head;
        if (head > limits.maxHeadBytes()) {
            fail(sink, 513, "Message Too Large", head);
            return false;
        }
        // RFC 3261 20.14: "If a stream-based protocol (such as TCP) is used as transport, then the
        // header field MUST be used."
        long length = contentLength(bodyStart);
        if (length < 0) {
            fail(
                    sink,
                    400,
                    length == NO_LENGTH ? "Missing Content-Length" : "Bad Content-Length",
                    head);
            return false;
        }
        if (head + length > limits.maxMessageBytes()) {
            fail(sink, 413, "Request Entity Too Large", head);
            return false;
        }
        messageBytes = (int) (head + length);
        return true;
    }

    private static final long NO_LENGTH = -1;
    private static final long BAD_LENGTH = -2;

    /** The one value of all Content-Length lines, negative when there is none. */
    private long contentLength(int bodyStart) {
        byte[] b = buffer;
        long length = NO_LENGTH;
        int p = start;
        while (p < bodyStart - 2) {
            int lineEnd = Ascii.indexOf(b, p, bodyStart, '\n');
            if (b[lineEnd - 1] != '\r') {
                // Others may take a bare LF for a line break or not: the framing is not certain.
                return BAD_LENGTH;
            }
            int name = p;
            while (Ascii.isToken(b[p])) {
                p++;
            }
            if (HeaderName.CONTENT_LENGTH.spelledBy(b, name, p)) {
                long value = lengthValue(p, lineEnd, bodyStart);
                if (value < 0 || (length >= 0 && length != value)) {
                    return BAD_LENGTH;
                }
                length = value;
            }
            p = lineEnd + 1;
        }
        return length;
    }

    private long lengthValue(int nameEnd, int firstLineEnd, int bodyStart) {
        byte[] b = buffer;
        int lineEnd = firstLineEnd;
        while (lineEnd + 1 < bodyStart && Ascii.isBlank(b[lineEnd + 1])) {
            lineEnd = Ascii.indexOf(b, lineEnd + 1, bodyStart, '\n');
        }
        int colon = nameEnd;
        while (Ascii.isBlank(b[colon])) {
            colon++;
        }
        if (b[colon] != ':') {
            return BAD_LENGTH;
        }
        int from = Ascii.skipLws(b, colon + 1, lineEnd);
        int to = Ascii.trimEnd(b, from, lineEnd);
        return Ascii.parseDecimal(b, from, to, Integer.MAX_VALUE);
    }

    private void fail(Sink sink, int status, String reason, int headBytes) {
        broken = true;
        byte[] head = headBytes == 0 ? EMPTY : Arrays.copyOfRange(buffer, start, start + headBytes);
        start = end;
        sink.malformed(status, reason, head);
    }
}
