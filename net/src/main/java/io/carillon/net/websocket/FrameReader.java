package io.carillon.net.websocket;

import java.util.Arrays;

/**
 * Cuts a byte stream into WebSocket messages: RFC 6455 section 5. Fragments are joined, control
 * frames may stand between them. Memory grows with the bytes that came, never with what a frame
 * declares. After {@link Sink#broken} or {@link Sink#closed} later bytes are ignored.
 *
 * <p>Owner: the connection's thread.
 */
public final class FrameReader {
    /** Takes what is found; called from within {@link #feed}. */
    public interface Sink {
        /**
         * A whole message.
         *
         * @param owned an array of its own
         */
        void message(byte[] owned, int length);

        /** A frame that ends no message: its first part, or one between, perhaps without a byte. */
        void fragment();

        /**
         * A ping, to be answered with the same bytes.
         *
         * @param payload at most 125 bytes, of its own
         */
        void ping(byte[] payload);

        /** A pong. */
        void pong();

        /**
         * The peer begins the closing handshake.
         *
         * @param code the status code it gave, 1005 for none
         */
        void closed(int code);

        /**
         * The frames cannot be read any further.
         *
         * @param code to close with
         * @param why for people
         */
        void broken(int code, String why);
    }

    /** RFC 6455 7.4.1: stands for a close frame without a code. */
    public static final int NO_CODE = 1005;

    private static final byte[] EMPTY = {};
    private static final int MAX_CONTROL = 125;

    private final boolean fromClient;
    private final int maxMessage;

    private final byte[] head = new byte[14];
    private int headHave;
    private int headNeed = 2;

    private int opcode;
    private boolean last;
    private long left;
    private int mask;
    private int maskAt;

    /** The message that is being put together; its kind, -1 between messages. */
    private int kind = -1;

    private byte[] message = EMPTY;
    private int messageLength;

    private byte[] control = EMPTY;
    private int controlLength;
    private boolean inPayload;
    private boolean ended;

    /**
     * @param fromClient frames must be masked, else they must not
     * @param maxMessage bytes of the longest message
     */
    public FrameReader(boolean fromClient, int maxMessage) {
        this.fromClient = fromClient;
        this.maxMessage = maxMessage;
    }

    /** Is part of a frame or message waiting for its rest? */
    public boolean midMessage() {
        return !ended && (headHave > 0 || inPayload || kind >= 0);
    }

    /** Bytes of memory held: whole buffers, also what of them is not used yet. */
    public int bytesBuffered() {
        return message.length + control.length + headHave;
    }

    /** Takes the next bytes of the stream; the array stays the caller's. */
    public void feed(byte[] b, int off, int len, Sink sink) {
        int p = off;
        int end = off + len;
        while (!ended && (p < end || (inPayload && left == 0))) {
            if (inPayload) {
                int n = (int) Math.min(left, end - p);
                take(b, p, n);
                p += n;
                left -= n;
                if (left == 0) {
                    inPayload = false;
                    frameEnds(sink);
                }
            } else {
                head[headHave++] = b[p++];
                if (headHave == headNeed) {
                    headGrows(sink);
                }
            }
        }
    }

    private void headGrows(Sink sink) {
        if (headHave == 2) {
            int length = head[1] & 0x7F;
            headNeed =
                    2
                            + (length == 126 ? 2 : length == 127 ? 8 : 0)
                            + ((head[1] & 0x80) != 0 ? 4 : 0);
            if (!firstBytesGood(sink)) {
                return;
            }
            if (headHave < headNeed) {
                return;
            }
        }
        headEnds(sink);
    }

    private boolean firstBytesGood(Sink sink) {
        opcode = head[0] & 0x0F;
        last = (head[0] & 0x80) != 0;
        boolean masked = (head[1] & 0x80) != 0;
        String wrong = null;
        // RFC 6455 5.2: "MUST be 0 unless an extension is negotiated that defines meanings for
        // non-zero values." We negotiate none.
        if ((head[0] & 0x70) != 0) {
            wrong = "a reserved bit is set";
        } else if (!Opcode.known(opcode)) {
            wrong = "unknown opcode " + opcode;
        } else if (masked != fromClient) {
            // 5.1: "The server MUST close the connection upon receiving a frame that is not masked"
            // and "A client MUST close a connection if it detects a masked frame."
            wrong = masked ? "a masked frame of a server" : "an unmasked frame of a client";
        } else if (Opcode.control(opcode) && (!last || (head[1] & 0x7F) > MAX_CONTROL)) {
            // 5.5: "All control frames MUST have a payload length of 125 bytes or less and MUST NOT
            // be fragmented."
            wrong = "a fragmented or long control frame";
        } else if (opcode == Opcode.CONTINUATION && kind < 0) {
            wrong = "a continuation of nothing";
        } else if ((opcode == Opcode.TEXT || opcode == Opcode.BINARY) && kind >= 0) {
            wrong = "a new message inside a fragmented one";
        }
        if (wrong != null) {
            fail(CloseCode.PROTOCOL_ERROR, wrong, sink);
        }
        return wrong == null;
    }

    private void headEnds(Sink sink) {
        int length = head[1] & 0x7F;
        int p = 2;
        if (length == 126) {
            left = (head[2] & 0xFFL) << 8 | (head[3] & 0xFFL);
            p = 4;
        } else if (length == 127) {
            left = 0;
            for (p = 2; p < 10; p++) {
                left = left << 8 | (head[p] & 0xFF);
            }
        } else {
            left = length;
        }
        mask = 0;
        if (fromClient) {
            mask = wordAt(head, p);
        }
        maskAt = 0;
        headHave = 0;
        headNeed = 2;
        if (left < 0) {
            fail(CloseCode.PROTOCOL_ERROR, "a length beyond 63 bits", sink);
        } else if (!Opcode.control(opcode) && left > maxMessage - messageLength) {
            fail(CloseCode.TOO_BIG, "a message over " + maxMessage + " bytes", sink);
        } else {
            if (opcode == Opcode.TEXT || opcode == Opcode.BINARY) {
                kind = opcode;
            }
            inPayload = true;
        }
    }

    private static int wordAt(byte[] b, int p) {
        return b[p] << 24 | (b[p + 1] & 0xFF) << 16 | (b[p + 2] & 0xFF) << 8 | (b[p + 3] & 0xFF);
    }

    private void take(byte[] b, int off, int n) {
        if (Opcode.control(opcode)) {
            control = room(control, controlLength, n, controlLength + (int) left);
            unmask(b, off, n, control, controlLength);
            controlLength += n;
        } else {
            // The whole frame is here as a rule: then its array is the message's.
            int most = last ? messageLength + (int) left : maxMessage;
            message = room(message, messageLength, n, most);
            unmask(b, off, n, message, messageLength);
            messageLength += n;
        }
    }

    /** An array with room for so many more bytes, and twice as long where it may be. */
    private static byte[] room(byte[] b, int have, int more, int most) {
        if (have + more <= b.length) {
            return b;
        }
        return Arrays.copyOf(b, Math.max(have + more, Math.min(most, b.length * 2)));
    }

    private void unmask(byte[] from, int off, int n, byte[] to, int at) {
        if (mask == 0) {
            System.arraycopy(from, off, to, at, n);
            return;
        }
        int shift = maskAt;
        for (int i = 0; i < n; i++) {
            to[at + i] = (byte) (from[off + i] ^ (mask >> (24 - ((shift & 3) << 3))));
            shift++;
        }
        maskAt = shift & 3;
    }

    private void frameEnds(Sink sink) {
        if (Opcode.control(opcode)) {
            byte[] payload = Arrays.copyOf(control, controlLength);
            control = EMPTY;
            controlLength = 0;
            controlEnds(payload, sink);
            return;
        }
        if (!last) {
            sink.fragment();
            return;
        }
        boolean text = kind == Opcode.TEXT;
        int length = messageLength;
        // One of fragments may have grown beyond its end, and lives as long as its message.
        byte[] owned = message.length == length ? message : Arrays.copyOf(message, length);
        kind = -1;
        message = EMPTY;
        messageLength = 0;
        // RFC 6455 8.1: what a text message holds has to be UTF-8, else the connection fails.
        if (text && !Utf8.valid(owned, length)) {
            fail(CloseCode.INVALID_DATA, "a text message that is not UTF-8", sink);
        } else {
            sink.message(owned, length);
        }
    }

    private void controlEnds(byte[] payload, Sink sink) {
        switch (opcode) {
            case Opcode.PING -> sink.ping(payload);
            case Opcode.PONG -> sink.pong();
            default -> {
                int code =
                        payload.length < 2
                                ? NO_CODE
                                : (payload[0] & 0xFF) << 8 | (payload[1] & 0xFF);
                if (payload.length == 1 || (payload.length > 1 && !CloseCode.sendable(code))) {
                    fail(CloseCode.PROTOCOL_ERROR, "a bad close frame", sink);
                } else {
                    end();
                    sink.closed(code);
                }
            }
        }
    }

    private void fail(int code, String why, Sink sink) {
        end();
        sink.broken(code, why);
    }

    /** Nothing more is read: the connection is given up. */
    public void end() {
        ended = true;
        message = EMPTY;
        messageLength = 0;
        control = EMPTY;
        controlLength = 0;
    }
}
