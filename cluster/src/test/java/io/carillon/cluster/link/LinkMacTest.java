package io.carillon.cluster.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** SipHash-2-4-128: the vectors of its authors' reference implementation. */
class LinkMacTest {
    private static final byte[] KEY = numbers(16);

    private static byte[] numbers(int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    private static String mac(int length) {
        byte[] out = new byte[LinkMac.BYTES + 3];
        new LinkMac(KEY).write(numbers(length), 0, length, out, 3);
        return HexFormat.of().formatHex(out, 3, out.length);
    }

    @Test
    void isWhatTheReferenceMakes() {
        assertThat(mac(0)).isEqualTo("a3817f04ba25a8e66df67214c7550293");
        assertThat(mac(1)).isEqualTo("da87c1d86b99af44347659119b22fc45");
        assertThat(mac(2)).isEqualTo("8177228da4a45dc7fca38bdef60affe4");
    }

    @Test
    void readsASliceAsItReadsAnArray() {
        byte[] padded = new byte[40];
        System.arraycopy(numbers(21), 0, padded, 7, 21);
        byte[] out = new byte[LinkMac.BYTES];
        new LinkMac(KEY).write(padded, 7, 28, out, 0);
        assertThat(HexFormat.of().formatHex(out)).isEqualTo(mac(21));
    }

    @Test
    void matchesOnlyItsOwn() {
        byte[] frame = new byte[30 + LinkMac.BYTES];
        LinkMac mac = new LinkMac(KEY);
        mac.write(frame, 0, 30, frame, 30);
        assertThat(mac.matches(frame, 0, 30, 30)).isTrue();
        for (int bit = 0; bit < frame.length * 8; bit++) {
            byte[] other = frame.clone();
            other[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(mac.matches(other, 0, 30, 30)).as("bit %d", bit).isFalse();
        }
    }
}
