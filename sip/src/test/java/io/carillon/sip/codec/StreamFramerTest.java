package io.carillon.sip.codec;

import static io.carillon.sip.codec.TestMessages.bytes;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.message.SipMessage;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Framing of streams: RFC 3261 18.3 and 7.5, RFC 5626 4.4.1. */
class StreamFramerTest {
    /** Writes down what the framer says. */
    static final class Recorder implements StreamFramer.Sink {
        final List<byte[]> messages = new ArrayList<>();
        final List<String> errors = new ArrayList<>();
        int pings;
        int headBytes;

        @Override
        public void message(byte[] owned, int len) {
            messages.add(Arrays.copyOf(owned, len));
        }

        @Override
        public void keepAlivePing() {
            pings++;
        }

        @Override
        public void malformed(int status, String reason, byte[] head) {
            errors.add(status + " " + reason);
            headBytes = head.length;
        }
    }

    /** The messages in one stretch of bytes; none when it is malformed or incomplete. */
    static List<SipMessage> frame(byte[] b) {
        Recorder sink = feed(b);
        List<SipMessage> out = new ArrayList<>();
        for (byte[] message : sink.messages) {
            MessageParser parser = new MessageParser(Compliance.DEFAULT, MessageLimits.DEFAULT);
            if (parser.parseFramed(message, message.length)
                    instanceof ParseResult.Parsed(SipMessage parsed)) {
                out.add(parsed);
            }
        }
        return out;
    }

    private static Recorder feed(byte[]... parts) {
        StreamFramer framer = new StreamFramer(MessageLimits.DEFAULT);
        Recorder sink = new Recorder();
        for (byte[] part : parts) {
            framer.feed(part, 0, part.length, sink);
        }
        return sink;
    }

    private static byte[] concat(byte[]... parts) {
        int n = 0;
        for (byte[] part : parts) {
            n += part.length;
        }
        byte[] out = new byte[n];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, out, at, part.length);
            at += part.length;
        }
        return out;
    }

    private static byte[] invite() {
        // Cut to the declared length of 4 bytes.
        byte[] b = bytes(TestMessages.INVITE);
        return Arrays.copyOf(b, b.length - 1);
    }

    private static final byte[] OPTIONS =
            bytes(
                    """
                    OPTIONS sip:a@b SIP/2.0
                    Via: SIP/2.0/TCP h;branch=z9hG4bK1
                    From: <sip:a@b>;tag=1
                    To: <sip:a@b>
                    Call-ID: 1
                    CSeq: 1 OPTIONS
                    l :
                      0

                    """);

    private static byte[] inviteWithLength(String header) {
        return bytes(TestMessages.INVITE.replace("Content-Length: 4", header));
    }

    @Test
    void s18_3_two_messages_split_at_every_byte_offset() {
        byte[] first =
                Arrays.copyOf(bytes(TestMessages.INVITE), bytes(TestMessages.INVITE).length - 1);
        byte[] stream = concat(first, OPTIONS, "\r\n\r\n".getBytes(UTF_8), first);
        for (int cut = 0; cut <= stream.length; cut++) {
            Recorder sink =
                    feed(
                            Arrays.copyOf(stream, cut),
                            Arrays.copyOfRange(stream, cut, stream.length));
            assertThat(sink.errors).as("cut at %d", cut).isEmpty();
            assertThat(sink.messages).as("cut at %d", cut).hasSize(3);
            assertThat(sink.messages.get(0)).isEqualTo(first);
            assertThat(sink.messages.get(1)).isEqualTo(OPTIONS);
            assertThat(sink.messages.get(2)).isEqualTo(first);
            assertThat(sink.pings).as("cut at %d", cut).isEqualTo(1);
        }
    }

    @Test
    void s18_3_one_byte_at_a_time() {
        byte[] stream = concat(invite(), OPTIONS, invite());
        StreamFramer framer = new StreamFramer(MessageLimits.DEFAULT);
        Recorder sink = new Recorder();
        for (byte b : stream) {
            framer.feed(new byte[] {b}, 0, 1, sink);
        }
        assertThat(sink.messages).hasSize(3);
        assertThat(framer.midMessage()).isFalse();
        assertThat(framer.bytesBuffered()).isZero();
    }

    @Test
    void s7_5_line_breaks_before_a_start_line_are_skipped_and_a_double_one_is_a_ping() {
        assertThat(feed("\r\n".getBytes(UTF_8), OPTIONS).pings).isZero();
        assertThat(feed("\r\n".getBytes(UTF_8), OPTIONS).messages).hasSize(1);
        Recorder sink = feed("\r\n\r\n\r\n\r".getBytes(UTF_8), "\n".getBytes(UTF_8), OPTIONS);
        assertThat(sink.pings).isEqualTo(2);
        assertThat(sink.messages).hasSize(1);
    }

    @Test
    void a_half_message_is_waited_for() {
        StreamFramer framer = new StreamFramer(MessageLimits.DEFAULT);
        Recorder sink = new Recorder();
        byte[] b = invite();
        framer.feed(b, 0, b.length - 1, sink);
        assertThat(sink.messages).isEmpty();
        assertThat(framer.midMessage()).isTrue();
        assertThat(framer.bytesBuffered()).isEqualTo(b.length - 1);
    }

    @Test
    void s20_14_a_stream_needs_a_good_content_length() {
        assertThat(feed(inviteWithLength("X: 1")).errors)
                .containsExactly("400 Missing Content-Length");
        for (String bad :
                List.of(
                        "Content-Length: -999",
                        "Content-Length: 4x",
                        "Content-Length:",
                        "Content-Length: 4294967299",
                        "Content-Length: 99999999999999999999999",
                        "Content-Length: 4\nl: 5",
                        "Content-Length: 4, 5",
                        "Content-Length\n : 4")) {
            Recorder sink = feed(inviteWithLength(bad));
            assertThat(sink.errors).as(bad).containsExactly("400 Bad Content-Length");
            assertThat(sink.headBytes).isPositive();
        }
        assertThat(feed(inviteWithLength("Content-Length: 4\nl: 4")).messages).hasSize(1);
        assertThat(feed(inviteWithLength("Content-Length: 70000")).errors)
                .containsExactly("413 Request Entity Too Large");
    }

    @Test
    void bytes_after_an_error_are_never_a_message() {
        Recorder sink = feed(concat(inviteWithLength("Content-Length: -1"), OPTIONS), OPTIONS);
        assertThat(sink.messages).isEmpty();
        assertThat(sink.errors).hasSize(1);
    }

    @Test
    void a_bare_line_feed_makes_the_framing_uncertain() {
        byte[] b =
                new String(invite(), UTF_8)
                        .replace("Max-Forwards: 70\r\n", "X: 1\nContent-Length: 50\r\n")
                        .getBytes(UTF_8);
        assertThat(feed(b).errors).containsExactly("400 Bad Content-Length");
    }

    @Test
    void what_is_no_sip_is_known_by_its_first_line() {
        assertThat(feed(new byte[] {0x16, 3, 1, 2, 0}).errors).containsExactly("400 No SIP");
        assertThat(feed("GET / HTTP/1.1\r\nHost: x\r\n".getBytes(UTF_8)).errors)
                .containsExactly("400 No SIP");
    }

    @Test
    void endless_headers_end_at_the_limit() {
        StreamFramer framer = new StreamFramer(new MessageLimits(4096, 2048, 64, 512));
        Recorder sink = new Recorder();
        byte[] start = "INVITE sip:a@b SIP/2.0\r\n".getBytes(UTF_8);
        framer.feed(start, 0, start.length, sink);
        byte[] line = "X: 1234567890123456789012345678901234567890\r\n".getBytes(UTF_8);
        for (int i = 0; i < 1000; i++) {
            framer.feed(line, 0, line.length, sink);
        }
        assertThat(sink.errors).containsExactly("513 Message Too Large");
        assertThat(framer.bytesBuffered()).isZero();
    }

    @Test
    void a_start_line_without_end_ends_at_the_limit() {
        StreamFramer framer = new StreamFramer(new MessageLimits(4096, 2048, 64, 512));
        Recorder sink = new Recorder();
        byte[] junk = "A".repeat(100).getBytes(UTF_8);
        for (int i = 0; i < 10; i++) {
            framer.feed(junk, 0, junk.length, sink);
        }
        assertThat(sink.errors).containsExactly("513 Message Too Large");
    }

    /** Bytes of all arrays that it has, in use or not. */
    private static long allocated(StreamFramer framer) throws IllegalAccessException {
        long bytes = 0;
        for (Field field : StreamFramer.class.getDeclaredFields()) {
            if (field.getType() == byte[].class && !Modifier.isStatic(field.getModifiers())) {
                field.setAccessible(true);
                bytes += ((byte[]) field.get(framer)).length;
            }
        }
        return bytes;
    }

    @Test
    void what_is_counted_is_what_is_allocated_and_follows_what_waits() throws Exception {
        SplittableRandom random = new SplittableRandom(18);
        byte[] large = inviteWithLength("Content-Length: 60000");
        int head = new String(large, UTF_8).indexOf("\r\n\r\n") + 4;
        large = Arrays.copyOf(large, head + 60_000);
        byte[] stream = concat(large, OPTIONS, large, OPTIONS, OPTIONS, large, OPTIONS);
        for (int run = 0; run < 300; run++) {
            StreamFramer framer = new StreamFramer(MessageLimits.DEFAULT);
            Recorder sink = new Recorder();
            int most = 1 << random.nextInt(1, 17);
            int at = 0;
            while (at < stream.length) {
                int piece = Math.min(stream.length - at, random.nextInt(1, most + 1));
                framer.feed(stream, at, piece, sink);
                at += piece;
                long waits = at - sink.messages.stream().mapToLong(m -> m.length).sum();
                assertThat(framer.bytesBuffered()).isEqualTo(allocated(framer));
                assertThat(framer.bytesBuffered()).isBetween(waits, 2 * waits);
            }
            assertThat(sink.messages)
                    .containsExactly(large, OPTIONS, large, OPTIONS, OPTIONS, large, OPTIONS);
        }
    }

    @Test
    void the_begin_of_a_small_message_behind_a_large_one_holds_its_own_bytes_alone()
            throws Exception {
        byte[] large = inviteWithLength("Content-Length: 60000");
        int head = new String(large, UTF_8).indexOf("\r\n\r\n") + 4;
        large = Arrays.copyOf(large, head + 60_000);
        StreamFramer framer = new StreamFramer(MessageLimits.DEFAULT);
        Recorder sink = new Recorder();
        framer.feed(large, 0, large.length - 300, sink);
        byte[] rest =
                concat(
                        Arrays.copyOfRange(large, large.length - 300, large.length),
                        Arrays.copyOf(OPTIONS, 12));
        framer.feed(rest, 0, rest.length, sink);
        assertThat(sink.messages).containsExactly(large);
        assertThat(allocated(framer)).isEqualTo(12);
        assertThat(framer.bytesBuffered()).isEqualTo(12);
    }
}
