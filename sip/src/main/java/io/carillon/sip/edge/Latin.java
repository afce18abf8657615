package io.carillon.sip.edge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.ByteWriter;
import io.carillon.sip.bytes.WireText;

/** Bytes as text, one character for each: nothing is lost on the way there and back. */
final class Latin {
    private Latin() {}

    static String text(byte[] b, int from, int to) {
        return new String(b, from, to - from, ISO_8859_1);
    }

    /** As {@link #text}, each fold a space. */
    static String unfolded(byte[] b, int from, int to) {
        return Ascii.indexOf(b, from, to, '\n') < 0
                ? text(b, from, to)
                : new String(WireText.bytes(Ascii.unfolded(b, from, to)), ISO_8859_1);
    }

    static String text(ByteWriter out) {
        return text(out.array(), 0, out.length());
    }

    static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }
}
