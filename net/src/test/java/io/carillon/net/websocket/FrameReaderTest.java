package io.carillon.net.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 6455 section 5, by its sentences. */
class FrameReaderTest {

    private final List<String> found = new ArrayList<>();

    private final FrameReader.Sink sink =
            new FrameReader.Sink() {
                @Override
                public void message(byte[] owned, int length) {
                    found.add(
                            "message " + new String(owned, 0, length, StandardCharsets.ISO_8859_1));
                }

                @Override
                public void ping(byte[] payload) {
                    found.add("ping " + payload.length);
                }

                @Override
                public void fragment() {}

                @Override
                public void pong() {
                    found.add("pong");
                }

                @Override
                public void closed(int code) {
                    found.add("closed " + code);
                }

                @Override
                public void broken(int code, String why) {
                    found.add("broken " + code);
                }
            };

    /** A frame of a client. */
    private static byte[] frame(int first, String payload) {
        return frame(first, payload.getBytes(StandardCharsets.ISO_8859_1), true);
    }

    private static byte[] frame(int first, byte[] payload, boolean masked) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(first);
        int bit = masked ? 0x80 : 0;
        if (payload.length < 126) {
            out.write(bit | payload.length);
        } else {
            out.write(bit | 126);
            out.write(payload.length >> 8);
            out.write(payload.length);
        }
        byte[] mask = {0x12, (byte) 0x9A, 0x33, (byte) 0xF1};
        if (masked) {
            out.writeBytes(mask);
        }
        for (int i = 0; i < payload.length; i++) {
            out.write(masked ? payload[i] ^ mask[i & 3] : payload[i]);
        }
        return out.toByteArray();
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static FrameReader reader() {
        return new FrameReader(true, 1000);
    }

    private List<String> read(byte[] stream) {
        found.clear();
        reader().feed(stream, 0, stream.length, sink);
        return List.copyOf(found);
    }

    @Test
    void theSameComesOutWhereverTheStreamIsCut_5_2() {
        byte[] stream =
                join(
                        frame(0x81, "first"),
                        frame(0x01, "be"),
                        frame(0x89, "hello"),
                        frame(0x00, ""),
                        frame(0x80, "fore"),
                        frame(0x82, "x".repeat(300)),
                        frame(0x8A, ""),
                        frame(0x88, "\u0003\u00e8bye"));
        List<String> whole = read(stream);
        assertThat(whole)
                .containsExactly(
                        "message first",
                        "ping 5",
                        "message before",
                        "message " + "x".repeat(300),
                        "pong",
                        "closed 1000");
        for (int cut = 0; cut <= stream.length; cut++) {
            found.clear();
            FrameReader reader = reader();
            reader.feed(stream, 0, cut, sink);
            reader.feed(stream, cut, stream.length - cut, sink);
            assertThat(found).as("cut at %d", cut).isEqualTo(whole);
            assertThat(reader.bytesBuffered()).isZero();
        }
        found.clear();
        FrameReader reader = reader();
        for (int i = 0; i < stream.length; i++) {
            reader.feed(stream, i, 1, sink);
        }
        assertThat(found).isEqualTo(whole);
    }

    @ParameterizedTest
    @CsvSource({
        "c1, 1002", // a reserved bit
        "83, 1002", // an unknown opcode
        "8b, 1002",
        "09, 1002", // a ping that is not the last of its message
        "80, 1002" // a continuation of nothing
    })
    void aBadFirstByteEndsTheConnection_5_2(String first, int code) {
        assertThat(read(join(frame(Integer.parseInt(first, 16), "a"), frame(0x81, "later"))))
                .containsExactly("broken " + code);
    }

    @Test
    void anUnmaskedFrameOfAClientEndsTheConnection_5_1() {
        assertThat(read(frame(0x81, "a".getBytes(StandardCharsets.US_ASCII), false)))
                .containsExactly("broken 1002");
    }

    @Test
    void aMaskedFrameOfAServerEndsTheConnection_5_1() {
        byte[] stream = frame(0x81, "a");
        new FrameReader(false, 1000).feed(stream, 0, stream.length, sink);
        assertThat(found).containsExactly("broken 1002");
    }

    @Test
    void aNewMessageInsideAFragmentedOneEndsTheConnection_5_4() {
        assertThat(read(join(frame(0x01, "a"), frame(0x81, "b")))).containsExactly("broken 1002");
    }

    @Test
    void aLongPingEndsTheConnection_5_5() {
        assertThat(read(frame(0x89, "x".repeat(126)))).containsExactly("broken 1002");
    }

    @Test
    void aMessageOverTheLimitIsRefusedByItsHead_7_4_1() {
        assertThat(read(frame(0x81, "x".repeat(1001)))).containsExactly("broken 1009");
        assertThat(read(join(frame(0x01, "x".repeat(900)), frame(0x80, "x".repeat(101)))))
                .containsExactly("broken 1009");
        byte[] huge = {(byte) 0x82, (byte) 0xFF, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 0};
        assertThat(read(huge)).containsExactly("broken 1009");
        byte[] negative = {(byte) 0x82, (byte) 0xFF, -1, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 0};
        assertThat(read(negative)).containsExactly("broken 1002");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u00ff",
                "\u00c0\u00af",
                "\u00ed\u00a0\u0080",
                "\u00f4\u0090\u0080\u0080",
                "\u00e2\u0082"
            })
    void aTextMessageThatIsNoUtf8EndsTheConnection_8_1(String bytes) {
        assertThat(read(frame(0x81, "a" + bytes))).containsExactly("broken 1007");
        assertThat(read(frame(0x82, "a" + bytes)))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("message");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0003", "\u0003\u00ed", "\u0000\u0001"})
    void aBadCloseFrameIsAProtocolError_7_4(String payload) {
        assertThat(read(frame(0x88, payload))).containsExactly("broken 1002");
    }

    @Test
    void nothingIsReadAfterTheClose_5_5_1() {
        assertThat(read(join(frame(0x88, ""), frame(0x81, "later"))))
                .containsExactly("closed 1005");
    }

    @Test
    void whatWeWriteIsReadBack() {
        for (int length : new int[] {0, 1, 125, 126, 127, 65_535, 65_536, 70_000}) {
            byte[] payload = new byte[length];
            for (int i = 0; i < length; i++) {
                payload[i] = (byte) ('a' + i % 26);
            }
            for (boolean masked : new boolean[] {true, false}) {
                ByteBuf frame =
                        FrameWriter.message(
                                UnpooledByteBufAllocator.DEFAULT, payload, length, masked);
                byte[] stream = new byte[frame.readableBytes()];
                frame.readBytes(stream);
                frame.release();
                found.clear();
                new FrameReader(masked, 100_000).feed(stream, 0, stream.length, sink);
                assertThat(found)
                        .containsExactly(
                                "message " + new String(payload, StandardCharsets.US_ASCII));
                assertThat(stream[0]).as("text").isEqualTo((byte) 0x81);
            }
        }
    }

    @Test
    void whatIsNoUtf8LeavesAsBinary_rfc7118_4_2() {
        ByteBuf frame =
                FrameWriter.message(
                        UnpooledByteBufAllocator.DEFAULT, new byte[] {'a', -1}, 2, false);
        assertThat(frame.getByte(0)).isEqualTo((byte) 0x82);
        frame.release();
    }

    @Test
    void noBytesMakeItThrowOrGrow() {
        SplittableRandom random = new SplittableRandom(7118);
        byte[] stream = new byte[200];
        for (int run = 0; run < 20_000; run++) {
            random.nextBytes(stream);
            if ((run & 1) == 0) {
                stream[0] = (byte) (0x80 | random.nextInt(3));
                stream[1] |= (byte) 0x80;
            }
            FrameReader reader = reader();
            reader.feed(stream, 0, stream.length, sink);
            assertThat(reader.bytesBuffered()).isLessThanOrEqualTo(stream.length);
            found.clear();
        }
    }
}
