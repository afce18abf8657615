package io.carillon.net.websocket;

/** Is it UTF-8? RFC 3629, without the overlong forms and surrogates. Stateless. */
final class Utf8 {
    private Utf8() {}

    static boolean valid(byte[] b, int length) {
        int p = 0;
        while (p < length) {
            int lead = b[p++];
            if (lead >= 0) {
                continue;
            }
            int more = more(lead & 0xFF);
            if (more == 0 || p + more > length || !second(lead & 0xFF, b[p] & 0xFF)) {
                return false;
            }
            for (int end = p + more; p < end; p++) {
                if ((b[p] & 0xC0) != 0x80) {
                    return false;
                }
            }
        }
        return true;
    }

    private static int more(int lead) {
        if (lead >= 0xC2 && lead <= 0xDF) {
            return 1;
        }
        if ((lead & 0xF0) == 0xE0) {
            return 2;
        }
        return lead >= 0xF0 && lead <= 0xF4 ? 3 : 0;
    }

    /** What the second byte may be after some first ones. */
    private static boolean second(int lead, int second) {
        return switch (lead) {
            case 0xE0 -> second >= 0xA0;
            case 0xED -> second < 0xA0;
            case 0xF0 -> second >= 0x90;
            case 0xF4 -> second < 0x90;
            default -> true;
        };
    }
}
