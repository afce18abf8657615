package io.carillon.sip.codec;

import static io.carillon.sip.codec.TestMessages.folder;
import static io.carillon.sip.codec.TestMessages.read;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/**
 * Valid messages with one thing wrong: whatever it is, the outcome is a typed one. Run another seed
 * with -Dcarillon.seed=N; a failure names seed and round.
 */
class MutationTest {
    private static final long SEED = Long.getLong("carillon.seed", 3261);
    private static final int ROUNDS = 40_000;

    private static final String[] ELEMENTS = {
        "",
        ":",
        ";",
        ",",
        "\"",
        "<",
        ">",
        "<>",
        "@",
        "=",
        "%",
        "%0",
        "%00",
        "\\",
        "*",
        "?",
        "/",
        "//",
        "\r\n",
        "\r\n ",
        "\r\n\r\n",
        "\n",
        "\r",
        "\0",
        "\t",
        "   ",
        "\u00ff",
        "é",
        "-1",
        "0",
        "256",
        "65536",
        "2147483648",
        "4294967296",
        "99999999999999999999",
        "sip:",
        "sips:",
        "tel:",
        "[",
        "]",
        "[::1]",
        "SIP/2.0",
        "SIP/7.0",
        "z9hG4bK",
        ";tag=",
        ";tag=x",
        ";branch=",
        ";;",
        ",,",
        "A".repeat(300),
        ";".repeat(300),
        "<".repeat(300),
        "\\\"".repeat(100),
        "Content-Length: 5\r\n",
        "Via: \r\n"
    };

    private static List<byte[]> corpus() {
        List<byte[]> out = new ArrayList<>();
        for (String name :
                List.of(
                        "wsinv",
                        "intmeth",
                        "longreq",
                        "transports",
                        "unreason",
                        "esc01",
                        "mpart01",
                        "semiuri")) {
            out.add(read(folder("rfc4475").resolve(name + ".dat")));
        }
        out.add(TestMessages.bytes(TestMessages.INVITE));
        out.add(read(folder("rfc5118").resolve("mult-ip-in-header.dat")));
        return out;
    }

    private static byte[] mutate(byte[] b, Random random) {
        int at = random.nextInt(b.length + 1);
        int to = Math.min(b.length, at + (random.nextBoolean() ? 0 : random.nextInt(12)));
        byte[] insert =
                switch (random.nextInt(4)) {
                    case 0 -> new byte[] {(byte) random.nextInt(256)};
                    case 1 ->
                            Arrays.copyOfRange(b, at, Math.min(b.length, at + random.nextInt(60)));
                    default -> ELEMENTS[random.nextInt(ELEMENTS.length)].getBytes(UTF_8);
                };
        byte[] out = new byte[at + insert.length + b.length - to];
        System.arraycopy(b, 0, out, 0, at);
        System.arraycopy(insert, 0, out, at, insert.length);
        System.arraycopy(b, to, out, at + insert.length, b.length - to);
        return out;
    }

    @Test
    void no_mutation_throws_or_hangs() {
        Random random = new Random(SEED);
        List<byte[]> corpus = corpus();
        MessageParser parser = new MessageParser(Compliance.DEFAULT, MessageLimits.DEFAULT);
        MessageParser lenient = new MessageParser(Compliance.LENIENT, MessageLimits.DEFAULT);
        int parsed = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] b = mutate(corpus.get(random.nextInt(corpus.size())), random);
            if (random.nextInt(3) == 0) {
                b = mutate(b, random);
            }
            try {
                parsed += use(parser.parseDatagram(b.clone(), b.length)) ? 1 : 0;
                use(lenient.parseDatagram(b.clone(), b.length));
                frame(b);
            } catch (RuntimeException e) {
                throw new AssertionError(
                        "seed " + SEED + " round " + round + "\n" + new String(b, UTF_8), e);
            }
        }
        // Both sides of the fence are visited.
        assertThat(parsed).isBetween(ROUNDS / 20, ROUNDS * 19 / 20);
    }

    private static boolean use(ParseResult result) {
        switch (result) {
            case ParseResult.Parsed(SipMessage m) -> {
                touch(m);
                touch(MessageDraft.copyOf(m).freeze());
                assertSameViews(MessageDraft.copyOf(m), m);
                if (m instanceof SipRequest r) {
                    touch(MessageDraft.responseTo(r, 200, null, "t").freeze());
                    touch(r.withTopVia(r.topVia().withReceived("1.2.3.4")));
                    if (!r.is("CANCEL")) {
                        touch(MessageDraft.cancelOf(r).freeze());
                    }
                }
                return true;
            }
            case ParseResult.Rejected r -> {
                if (r.request() != null) {
                    assertThat(r.request().topVia().host()).isNotEmpty();
                    assertThat(
                                    MessageDraft.responseTo(
                                                    r.request(), r.status(), r.reason(), "t")
                                            .freezeResponse()
                                            .status())
                            .isEqualTo(r.status());
                }
                return false;
            }
            case ParseResult.Dropped d -> {
                assertThat(d.cause()).isNotEmpty();
                return false;
            }
        }
    }

    private static void assertSameViews(MessageDraft draft, SipMessage m) {
        assertThat(draft.topVia()).isEqualTo(m.topVia());
        assertThat(draft.from()).isEqualTo(m.from());
        assertThat(draft.to()).isEqualTo(m.to());
        assertThat(draft.cseq()).isEqualTo(m.cseq());
        assertThat(draft.contact()).isEqualTo(m.contact());
        assertThat(draft.routes()).isEqualTo(m.routes());
        assertThat(draft.maxForwards()).isEqualTo(m.maxForwards());
    }

    private static void touch(SipMessage m) {
        if (m instanceof SipRequest r) {
            assertThat(r.requestUri().toString()).isNotEmpty();
        }
        assertThat(m.topVia()).isEqualTo(m.vias().get(0));
        assertThat(m.from().toString()).isNotEmpty();
        assertThat(m.to().toString()).isNotEmpty();
        assertThat(m.callId()).isNotEmpty();
        assertThat(m.cseq().number()).isNotNegative();
        assertThat(m.maxForwards()).isBetween(-1, 255);
        assertThat(m.contacts()).doesNotContainNull();
        assertThat(m.routes()).doesNotContainNull();
        assertThat(m.recordRoutes()).doesNotContainNull();
        assertThat(m.fromTag()).isEqualTo(m.from().tag());
        assertThat(m.toTag()).isEqualTo(m.to().tag());
        for (int i = 0; i < m.headerCount(); i++) {
            assertThat(m.valueAt(i)).doesNotContain("\r", "\n");
            boolean unreadable = m.nameAt(i).equals(HeaderName.CONTACT) && m.idAt(i) < 0;
            assertThat(m.isNamed(i, m.nameAt(i)) || unreadable).isTrue();
            assertThat(m.headers(m.nameAt(i))).isNotNull();
        }
        assertThat(m.body()).hasSize(m.bodyLength());
        assertThat(m.find(HeaderName.VIA, 0)).isNotNegative();
    }

    private static void frame(byte[] b) {
        StreamFramer framer = new StreamFramer(MessageLimits.DEFAULT);
        StreamFramerTest.Recorder sink = new StreamFramerTest.Recorder();
        int half = b.length / 2;
        framer.feed(b, 0, half, sink);
        framer.feed(b, half, b.length - half, sink);
        // What is allocated, which may be twice what waits.
        assertThat(framer.bytesBuffered()).isLessThanOrEqualTo(2L * b.length);
    }

    /** Attack class "time": 60 kB of one character in each field is read in linear time. */
    @Test
    void sixty_kilobytes_of_one_character_take_no_time() {
        MessageLimits wide = new MessageLimits(65_535, 65_535, 256, 65_535);
        MessageParser parser = new MessageParser(Compliance.LENIENT, wide);
        String text = new String(TestMessages.bytes(TestMessages.INVITE), UTF_8);
        Assertions.assertTimeout(
                Duration.ofSeconds(20),
                () -> {
                    for (String c :
                            List.of(
                                    "a", " ", ";", ",", "<", ">", "\"", "\\", "%", ":", "@", "=",
                                    "[", "(", "\t", "/", "?", "\r\n ")) {
                        String run = c.repeat(60_000 / c.length());
                        for (int at = 0; at < text.length() - 8; at += 7) {
                            byte[] b =
                                    (text.substring(0, at) + run + text.substring(at))
                                            .getBytes(UTF_8);
                            use(parser.parseDatagram(b, b.length));
                        }
                    }
                });
    }
}
