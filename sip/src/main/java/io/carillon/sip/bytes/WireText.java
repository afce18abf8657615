package io.carillon.sip.bytes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;

/**
 * Text of messages, as String and as bytes. RFC 3261 7: it is UTF-8. Peers write other bytes all
 * the same, as {@code M\xfcller} in Latin-1; whoever passes a value on has to send the bytes that
 * came (RFC 3261 16.6 step 1, "The proxy MUST NOT add to, modify, or remove" what it does not
 * know).
 *
 * <p>So nothing is lost on the way to a String and back: a byte that is no UTF-8 becomes the char
 * U+DC00 plus its value, half of a surrogate pair, which no UTF-8 can make. Bytes below 128 never
 * become one, so no such char can end a line. Pure functions.
 */
public final class WireText {
    private static final char REPLACEMENT = '\uFFFD';
    private static final int ESCAPE = 0xDC00;
    private static final char FIRST = '\uDC80';
    private static final char LAST = '\uDCFF';

    private WireText() {}

    /** The slice as text. */
    public static String string(byte[] b, int from, int to) {
        String text = new String(b, from, to - from, UTF_8);
        // Cheap: a String of Latin-1 chars has none, and knows it.
        return text.indexOf(REPLACEMENT) < 0 ? text : escaped(b, from, to);
    }

    private static String escaped(byte[] b, int from, int to) {
        CharsetDecoder decoder =
                UTF_8.newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(b, from, to - from);
        CharBuffer out = CharBuffer.allocate(to - from);
        for (; ; ) {
            CoderResult result = decoder.decode(in, out, true);
            if (!result.isError()) {
                return out.flip().toString();
            }
            for (int i = result.length(); i > 0; i--) {
                byte other = in.get();
                out.put(other < 0 ? (char) (ESCAPE | (other & 0xff)) : (char) other);
            }
        }
    }

    /** The text as bytes. */
    public static byte[] bytes(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= FIRST && c <= LAST && alone(text, i)) {
                return unescaped(text);
            }
        }
        return text.getBytes(UTF_8);
    }

    private static boolean alone(String text, int at) {
        return at == 0 || !Character.isHighSurrogate(text.charAt(at - 1));
    }

    private static byte[] unescaped(String text) {
        ByteWriter out = new ByteWriter(text.length() + 16);
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= FIRST && c <= LAST && alone(text, i)) {
                out.put(text.substring(from, i).getBytes(UTF_8));
                out.put(c & 0xff);
                from = i + 1;
            }
        }
        return out.put(text.substring(from).getBytes(UTF_8)).toByteArray();
    }
}
