package io.carillon.net.udp;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What an ICMP error, or a router, quotes of a request: its beginning, cut off anywhere.
 *
 * @param method its method
 * @param branch of its first Via
 */
public record QuotedRequest(String method, String branch) {
    private static final byte[] BRANCH = ";branch=".getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_METHOD = 32;

    /** Null when it is no request, or was cut off before the branch ended. */
    public static @Nullable QuotedRequest of(byte[] bytes) {
        int space = 0;
        while (space < bytes.length && bytes[space] != ' ') {
            if (++space > MAX_METHOD || bytes[space - 1] == '/') {
                return null;
            }
        }
        int line = space;
        while (line < bytes.length && bytes[line] != '\n') {
            line++;
        }
        for (int i = line; i + BRANCH.length < bytes.length; i++) {
            if (matches(bytes, i)) {
                int from = i + BRANCH.length;
                int to = from;
                while (to < bytes.length && isToken(bytes[to])) {
                    to++;
                }
                return to == bytes.length || to == from
                        ? null
                        : new QuotedRequest(text(bytes, 0, space), text(bytes, from, to));
            }
        }
        return null;
    }

    private static boolean matches(byte[] bytes, int at) {
        for (int i = 0; i < BRANCH.length; i++) {
            if (bytes[at + i] != BRANCH[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean isToken(byte b) {
        return b > ' ' && b != ';' && b != ',';
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
