package io.carillon.fuzz.net;

import io.carillon.net.websocket.CloseCode;
import io.carillon.net.websocket.FrameReader;
import io.carillon.net.websocket.FrameWriter;
import io.carillon.net.websocket.HttpHead;
import io.carillon.net.websocket.OneMessage;
import io.carillon.net.websocket.Upgrade;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Bytes of a WebSocket connection give the same answer, messages, pings and faults however they are
 * cut, and never more is kept than came or is allowed. A message that was read can be written and
 * read again. The first byte says which end we are and whether the opening handshake is still to
 * come, the second into pieces of how many bytes.
 */
public final class WebSocketTarget {
    private static final int LONGEST = 2_048;
    private static final int FROM_CLIENT = 1;
    private static final int HANDSHAKE = 2;
    private static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";

    private WebSocketTarget() {}

    /** One input. */
    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length < 2) {
            return;
        }
        int how = data[0];
        int piece = Math.max(1, data[1] & 0xff);
        byte[] stream = Arrays.copyOfRange(data, 2, data.length);
        List<String> whole = new Connection(how, true).feed(stream, stream.length);
        same("cut into " + piece, whole, new Connection(how, false).feed(stream, piece));
        if (piece > 1) {
            same("cut into 1", whole, new Connection(how, false).feed(stream, 1));
        }
    }

    private static void same(String what, List<String> one, List<String> other) {
        if (!one.equals(other)) {
            throw new IllegalStateException(what + ": " + one + " and " + other);
        }
    }

    /** One end of a connection, and what it made of its bytes. */
    private static final class Connection implements FrameReader.Sink {
        private final List<String> events = new ArrayList<>();
        private final boolean fromClient;
        private final boolean writes;
        private final HttpHead.Reader head = new HttpHead.Reader();
        private final FrameReader frames;
        private boolean open;
        private boolean over;

        /**
         * @param writes whether messages are written and read once more
         */
        Connection(int how, boolean writes) {
            fromClient = (how & FROM_CLIENT) != 0;
            open = (how & HANDSHAKE) == 0;
            this.writes = writes;
            frames = new FrameReader(fromClient, LONGEST);
        }

        List<String> feed(byte[] stream, int piece) {
            for (int at = 0; at < stream.length && !over; at += piece) {
                int length = Math.min(piece, stream.length - at);
                int taken = open ? 0 : shake(stream, at, length);
                if (open) {
                    frames.feed(stream, at + taken, length - taken, this);
                    bounded(at + length);
                }
            }
            events.add("mid " + (open && frames.midMessage()));
            return events;
        }

        private int shake(byte[] stream, int at, int length) {
            int taken = head.feed(stream, at, length);
            if (head.failed()) {
                over("no HTTP");
            } else if (head.whole()) {
                HttpHead read = head.head();
                if (fromClient) {
                    Upgrade.Answer answer = Upgrade.answer(read, "/", List.of());
                    printable(answer.text());
                    events.add(answer.text() + answer.why());
                    open = answer.accepted();
                } else {
                    String fault = Upgrade.fault(read, KEY);
                    events.add("fault " + fault);
                    open = fault == null;
                }
                over |= !open;
            } else if (taken < length) {
                throw new IllegalStateException("bytes of a head are left");
            }
            return taken;
        }

        private void printable(String answer) {
            if (!answer.contains("\r\n\r\n") || !answer.startsWith("HTTP/1.1 ")) {
                throw new IllegalStateException("no answer: " + answer);
            }
            for (int i = 0; i < answer.length(); i++) {
                char c = answer.charAt(i);
                if (c >= 127 || (c < ' ' && c != '\r' && c != '\n')) {
                    throw new IllegalStateException("bytes of the request are in the answer");
                }
            }
        }

        private void bounded(int came) {
            // What is allocated: at most twice what came. A control frame, which has its whole
            // length at once, and a head may wait beside the message.
            if (frames.bytesBuffered() > Math.min(2 * came, LONGEST) + 125 + 14) {
                throw new IllegalStateException("keeps " + frames.bytesBuffered() + " of " + came);
            }
        }

        private void over(String event) {
            events.add(event);
            over = true;
        }

        @Override
        public void message(byte[] owned, int length) {
            if (length > LONGEST) {
                throw new IllegalStateException("a message of " + length);
            }
            byte[] message = Arrays.copyOf(owned, length);
            events.add(
                    "message " + Arrays.hashCode(message) + " " + OneMessage.of(message, length));
            if (writes) {
                again(message);
            }
        }

        private void again(byte[] message) {
            ByteBuf frame =
                    FrameWriter.message(
                            PooledByteBufAllocator.DEFAULT, message, message.length, fromClient);
            byte[] bytes = new byte[frame.readableBytes()];
            frame.readBytes(bytes);
            frame.release();
            Connection other = new Connection(fromClient ? FROM_CLIENT : 0, false);
            String last = events.getLast();
            same("once more", List.of(last, "mid false"), other.feed(bytes, bytes.length));
        }

        @Override
        public void ping(byte[] payload) {
            events.add("ping " + Arrays.hashCode(payload));
            if (payload.length > 125) {
                throw new IllegalStateException("a long ping");
            }
        }

        @Override
        public void fragment() {}

        @Override
        public void pong() {
            events.add("pong");
        }

        @Override
        public void closed(int code) {
            over("closed " + code);
        }

        @Override
        public void broken(int code, String why) {
            if (!CloseCode.sendable(code)) {
                throw new IllegalStateException("closes with " + code);
            }
            over("broken " + code + " " + why);
        }
    }
}
