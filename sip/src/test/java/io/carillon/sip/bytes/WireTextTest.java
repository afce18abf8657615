package io.carillon.sip.bytes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** RFC 3261 7: text is UTF-8; what is not has to leave as it came. */
class WireTextTest {
    private static byte[] bytes(int... values) {
        byte[] b = new byte[values.length];
        for (int i = 0; i < b.length; i++) {
            b[i] = (byte) values[i];
        }
        return b;
    }

    private static String text(byte[] b) {
        return WireText.string(b, 0, b.length);
    }

    @Test
    void utf8IsWhatItAlwaysWas() {
        String text = "M\u00fcller \u20ac \ud83d\ude00 \ufffd";
        assertThat(text(text.getBytes(UTF_8))).isEqualTo(text);
        assertThat(WireText.bytes(text)).isEqualTo(text.getBytes(UTF_8));
    }

    @Test
    void aByteOfLatin1ComesBack() {
        byte[] b = bytes('M', 0xfc, 'l', 'l', 'e', 'r');
        assertThat(text(b)).isEqualTo("M\udcfcller");
        assertThat(WireText.bytes(text(b))).isEqualTo(b);
    }

    /** No line ends, and no quote closes, that did not so before. */
    @Test
    void noByteBelow128IsMadeOrLost() {
        for (int c = 0x80; c <= 0xff; c++) {
            String one = text(bytes(c));
            assertThat(one).hasSize(1);
            assertThat(WireText.bytes(one)).containsExactly((byte) c);
        }
        assertThat(text(bytes(0xc3, '\r', '\n'))).isEqualTo("\udcc3\r\n");
        assertThat(WireText.bytes("\udc0a")).as("half a pair that is no byte").containsExactly('?');
    }

    @Test
    void anyBytesComeBack() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 20_000; i++) {
            byte[] b = new byte[random.nextInt(12)];
            for (int k = 0; k < b.length; k++) {
                // Often those that begin or go on in UTF-8.
                b[k] =
                        (byte)
                                (random.nextInt(4) == 0
                                        ? random.nextInt(256)
                                        : 0x80 | random.nextInt(128));
            }
            assertThat(WireText.bytes(text(b))).isEqualTo(b);
        }
    }
}
