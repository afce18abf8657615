package io.carillon.net.tls;

import javax.security.auth.x500.X500Principal;

/** What a stranger wrote into a certificate, fit for a line of a log. */
final class CertificateText {

    private static final int LONGEST = 200;

    private CertificateText() {}

    static String of(X500Principal name) {
        return of(name.getName());
    }

    static String of(String text) {
        StringBuilder out = new StringBuilder(Math.min(text.length(), LONGEST));
        text.codePoints()
                .limit(LONGEST)
                .map(c -> Character.isISOControl(c) || isLayout(c) ? '?' : c)
                .forEach(out::appendCodePoint);
        return out.toString();
    }

    /** Line separators, and what turns the direction of writing. */
    private static boolean isLayout(int c) {
        int type = Character.getType(c);
        return type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }
}
