package io.carillon.net.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What is counted of a reader is what it has allocated, and that follows what waits. */
class HeldBytesTest {
    /** RFC 6455 5.2: two bytes, a length of eight, a mask of four. */
    private static final int LONGEST_HEAD = 14;

    private static final int LONGEST = 65_535;

    /** Bytes of all arrays that it has, in use or not. */
    private static int allocated(Object reader) throws IllegalAccessException {
        int bytes = 0;
        for (Field field : reader.getClass().getDeclaredFields()) {
            if (field.getType() == byte[].class && !Modifier.isStatic(field.getModifiers())) {
                field.setAccessible(true);
                bytes += ((byte[]) field.get(reader)).length;
            }
        }
        return bytes;
    }

    /** Counts the bytes of what has ended. */
    private static final class Ended implements FrameReader.Sink {
        boolean message;
        int longer;

        @Override
        public void message(byte[] owned, int length) {
            message = true;
            longer += owned.length - length;
        }

        @Override
        public void fragment() {}

        @Override
        public void ping(byte[] payload) {}

        @Override
        public void pong() {}

        @Override
        public void closed(int code) {}

        @Override
        public void broken(int code, String why) {
            throw new AssertionError(why);
        }
    }

    private static byte[] frame(int first, int length) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(first);
        if (length < 126) {
            out.write(0x80 | length);
        } else {
            out.write(0x80 | 126);
            out.write(length >> 8);
            out.write(length);
        }
        out.writeBytes(new byte[4]);
        out.writeBytes(new byte[length]);
        return out.toByteArray();
    }

    @Test
    void ofFramesInRandomPieces() throws Exception {
        SplittableRandom random = new SplittableRandom(6455);
        byte[][] frames = {
            frame(0x02, 33_000),
            frame(0x89, 125), // a ping between
            frame(0x00, 1),
            frame(0x80, 10),
            frame(0x82, 60_000),
            frame(0x82, 3)
        };
        for (int run = 0; run < 200; run++) {
            FrameReader reader = new FrameReader(true, LONGEST);
            Ended sink = new Ended();
            int most = 1 << random.nextInt(1, 17);
            int waits = 0;
            for (byte[] frame : frames) {
                int at = 0;
                while (at < frame.length) {
                    int piece = Math.min(frame.length - at, random.nextInt(1, most + 1));
                    sink.message = false;
                    reader.feed(frame, at, piece, sink);
                    at += piece;
                    waits = sink.message ? 0 : waits + piece;
                    assertThat(reader.bytesBuffered())
                            .isBetween(allocated(reader) - LONGEST_HEAD, 2 * waits + 125);
                }
            }
            assertThat(allocated(reader)).isEqualTo(LONGEST_HEAD);
            assertThat(reader.bytesBuffered()).isZero();
            assertThat(sink.longer).as("bytes of messages that are none").isZero();
        }
    }

    @Test
    void ofAConnectionThatEndsWithinAMessageNothingIsHeld() throws Exception {
        for (byte[] last : new byte[][] {frame(0x88, 0), frame(0x8B, 0)}) {
            FrameReader reader = new FrameReader(true, LONGEST);
            byte[] half = frame(0x02, 20_000);
            FrameReader.Sink deaf =
                    new FrameReader.Sink() {
                        @Override
                        public void message(byte[] owned, int length) {}

                        @Override
                        public void fragment() {}

                        @Override
                        public void ping(byte[] payload) {}

                        @Override
                        public void pong() {}

                        @Override
                        public void closed(int code) {}

                        @Override
                        public void broken(int code, String why) {}
                    };
            reader.feed(half, 0, half.length, deaf);
            reader.feed(last, 0, last.length, deaf);
            assertThat(allocated(reader)).isEqualTo(LONGEST_HEAD);
        }
    }

    @Test
    void ofAHeadInRandomPieces() throws Exception {
        byte[] head =
                ("GET / HTTP/1.1\r\nCookie: " + "x".repeat(12_000) + "\r\n")
                        .getBytes(StandardCharsets.US_ASCII);
        SplittableRandom random = new SplittableRandom(9112);
        for (int run = 0; run < 200; run++) {
            HttpHead.Reader reader = new HttpHead.Reader();
            assertThat(allocated(reader)).isZero();
            int most = 1 << random.nextInt(1, 15);
            int at = 0;
            while (at < head.length) {
                int piece = Math.min(head.length - at, random.nextInt(1, most + 1));
                assertThat(reader.feed(head, at, piece)).isEqualTo(piece);
                at += piece;
                assertThat(reader.bytesBuffered()).isEqualTo(allocated(reader));
                assertThat(reader.bytesBuffered()).isBetween(at, 2 * at);
            }
        }
    }
}
