package io.carillon.it.attack;

import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

/**
 * A message whose every {@code ########} becomes a number that no message before had, in place:
 * making it costs nothing against sending it. Owner: one thread.
 */
final class Template {
    private static final String MARK = "########";
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final byte[] bytes;
    private final int[] marks;

    Template(String text) {
        this(text.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Bytes as they are sent. */
    Template(byte[] given) {
        bytes = given.clone();
        IntStream.Builder found = IntStream.builder();
        String again = new String(bytes, StandardCharsets.ISO_8859_1);
        for (int at = again.indexOf(MARK); at >= 0; at = again.indexOf(MARK, at + MARK.length())) {
            found.add(at);
        }
        marks = found.build().toArray();
    }

    /** The next message; the array is the same each time. */
    byte[] next(int number) {
        // Scrambled by an odd factor, so that numbers that follow each other have no common part.
        int value = number * 0x9E3779B1;
        for (int mark : marks) {
            for (int i = 0; i < MARK.length(); i++) {
                bytes[mark + i] = DIGITS[(value >>> (28 - 4 * i)) & 15];
            }
        }
        return bytes;
    }
}
