package io.carillon.sip.bytes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Scans and the writer. */
class BytesTest {
    @Test
    void control_characters_are_found_where_they_are() {
        Random random = new Random(7);
        for (int round = 0; round < 20_000; round++) {
            byte[] b = new byte[random.nextInt(40)];
            for (int i = 0; i < b.length; i++) {
                b[i] =
                        (byte)
                                (random.nextInt(12) == 0
                                        ? random.nextInt(32)
                                        : 32 + random.nextInt(224));
            }
            int from = b.length == 0 ? 0 : random.nextInt(b.length);
            int expected = from;
            while (expected < b.length && (b[expected] & 0xff) >= 32) {
                expected++;
            }
            assertThat(Ascii.findControl(b, from, b.length)).isEqualTo(expected);
        }
    }

    @Test
    void decimals_do_not_wrap() {
        assertThat(Ascii.parseDecimal("0068", 255)).isEqualTo(68);
        assertThat(Ascii.parseDecimal("256", 255)).isEqualTo(-2);
        assertThat(Ascii.parseDecimal("99999999999999999999999999", Integer.MAX_VALUE))
                .isEqualTo(-2);
        assertThat(Ascii.parseDecimal("99999999999999999999999999x", 255)).isEqualTo(-1);
        assertThat(Ascii.parseDecimal("", 255)).isEqualTo(-1);
        assertThat(Ascii.parseDecimal("-1", 255)).isEqualTo(-1);
        assertThat(Ascii.parseDecimal("٣", 255)).isEqualTo(-1);
    }

    @Test
    void the_writer_grows_and_writes_utf8() {
        ByteWriter out = new ByteWriter(1);
        out.put("Größe ")
                .putDecimal(0)
                .put(' ')
                .putDecimal(4294967295L)
                .put(' ')
                .putDecimal(-12)
                .putCrLf();
        assertThat(out.toString()).isEqualTo("Größe 0 4294967295 -12\r\n");
        assertThat(out.toByteArray()).isEqualTo(out.toString().getBytes(UTF_8));
        assertThat(new ByteWriter(1).putDecimal(Long.MIN_VALUE))
                .hasToString("-9223372036854775808");
    }

    @Test
    void folds_are_one_space_and_nothing_inside_brackets() {
        byte[] b = "a \r\n\t b \"x <\r\n y\" <sip:\r\n  c>".getBytes(UTF_8);
        assertThat(Ascii.unfolded(b, 0, b.length)).isEqualTo("a b \"x < y\" <sip:c>");
    }

    @Test
    void aBackslashBeforeAFoldInQuotesDoesNotTakeTheNextCharacter() {
        for (String folded : new String[] {"\"a\\\r\n \" b", "\"a\\\n\n\" b", "\"a\\ \r\n \" b"}) {
            byte[] b = folded.getBytes(UTF_8);
            assertThat(Ascii.unfolded(b, 0, b.length)).isEqualTo("\"a\\ \" b");
        }
        byte[] inBrackets = "<sip:\"a\\\r\n \"\r\n >".getBytes(UTF_8);
        assertThat(Ascii.unfolded(inBrackets, 0, inBrackets.length)).isEqualTo("<sip:\"a\\ \">");
    }

    @Test
    void nulBreaksALineButInAQuotedPair_rfc4475_3_1_1_2() {
        assertThat(Ascii.breaksLine("a\u0000")).isTrue();
        assertThat(Ascii.breaksLine("\u0000a")).isTrue();
        assertThat(Ascii.breaksLine("\"a\\\u0000\"")).isFalse();
        assertThat(Ascii.breaksLine("a\\\n")).isTrue();
        assertThat(Ascii.hasLineBreak("\"a\\\u0000\"")).as("a name is quoted anew").isTrue();
    }

    @Test
    void a_text_has_the_hash_of_its_bytes() {
        String text = "z9hG4bK-1f.0abcdefghijklmnopqrstuvwxyz;~!";
        for (int to = 0; to <= text.length(); to++) {
            byte[] b = (" " + text.substring(0, to) + " ").getBytes(UTF_8);
            assertThat(Ascii.hash(b, 1, to + 1)).isEqualTo(Ascii.hash(text.substring(0, to)));
        }
        assertThat(Ascii.hash("ab")).isNotEqualTo(Ascii.hash("ba"));
    }
}
