package io.carillon.servlet.port;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * The ids of application sessions of one container: its own prefix, then a number to the base of
 * 36. Any thread.
 */
public final class SessionIds {
    private static final int BASE = 36;
    private final byte[] prefix;

    public SessionIds(String prefix) {
        this.prefix = prefix.getBytes(ISO_8859_1);
    }

    /**
     * The id with that number, made in one array of its length.
     *
     * @param number not negative
     */
    public String with(long number) {
        int digits = 1;
        for (long rest = number / BASE; rest > 0; rest /= BASE) {
            digits++;
        }
        byte[] text = new byte[prefix.length + digits];
        System.arraycopy(prefix, 0, text, 0, prefix.length);
        long rest = number;
        for (int at = text.length - 1; at >= prefix.length; at--) {
            text[at] = (byte) Character.forDigit((int) (rest % BASE), BASE);
            rest /= BASE;
        }
        return new String(text, ISO_8859_1);
    }
}
