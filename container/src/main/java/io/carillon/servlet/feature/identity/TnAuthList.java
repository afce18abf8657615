package io.carillon.servlet.feature.identity;

import java.nio.charset.StandardCharsets;
import java.security.cert.Certificate;
import java.security.cert.PKIXCertPathChecker;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The extension that says for which telephone numbers a certificate may sign (RFC 8226 section 9):
 * those of a service provider, a range, or one. Pure functions.
 */
final class TnAuthList {
    static final String OID = "1.3.6.1.5.5.7.1.26";

    private static final int OCTETS = 0x04;
    private static final int SEQUENCE = 0x30;
    private static final int SPC = 0xA0;
    private static final int RANGE = 0xA1;
    private static final int ONE = 0xA2;
    private static final int INTEGER = 0x02;

    private TnAuthList() {}

    /** Lets a chain pass whose certificates mark the extension as critical. */
    static final class Known extends PKIXCertPathChecker {
        @Override
        public void init(boolean forward) {
            // no state
        }

        @Override
        public boolean isForwardCheckingSupported() {
            return true;
        }

        @Override
        public Set<String> getSupportedExtensions() {
            return Set.of(OID);
        }

        @Override
        public void check(Certificate certificate, Collection<String> unresolved) {
            unresolved.remove(OID);
        }
    }

    /**
     * @return null when the certificate has no such extension
     */
    static @Nullable Boolean allows(X509Certificate certificate, String number) {
        byte[] value = certificate.getExtensionValue(OID);
        if (value == null) {
            return null;
        }
        try {
            Der outer = new Der(value, 0, value.length);
            Der list = outer.enter(OCTETS).enter(SEQUENCE);
            while (list.more()) {
                if (entryAllows(list, number)) {
                    return true;
                }
            }
            return false;
        } catch (IllegalArgumentException e) {
            return false; // what cannot be read allows nothing
        }
    }

    private static boolean entryAllows(Der list, String number) {
        int tag = list.tag();
        Der entry = list.enter(tag);
        return switch (tag) {
            // A service provider: its numbers are not in the certificate.
            case SPC -> true;
            case ONE -> entry.text().equals(number);
            case RANGE -> {
                Der range = entry.tag() == SEQUENCE ? entry.enter(SEQUENCE) : entry;
                String start = range.enter(range.tag()).text();
                long count = range.enter(INTEGER).number();
                yield within(start, count, number);
            }
            default -> false;
        };
    }

    private static boolean within(String start, long count, String number) {
        if (start.length() != number.length()
                || start.length() > 15
                || !number.chars().allMatch(Character::isDigit)
                || !start.chars().allMatch(Character::isDigit)) {
            return false;
        }
        long offset = Long.parseLong(number) - Long.parseLong(start);
        return offset >= 0 && offset < count;
    }

    /** As much of DER as this needs. */
    private static final class Der {
        private final byte[] bytes;
        private int at;
        private final int end;

        Der(byte[] bytes, int from, int to) {
            this.bytes = bytes;
            this.at = from;
            this.end = to;
        }

        boolean more() {
            return at < end;
        }

        int tag() {
            if (at >= end) {
                throw new IllegalArgumentException("DER ends early");
            }
            return bytes[at] & 0xFF;
        }

        /** The next element, which has that tag. */
        Der enter(int tag) {
            if (tag() != tag || at + 1 >= end) {
                throw new IllegalArgumentException("DER with another tag");
            }
            int length = bytes[at + 1] & 0xFF;
            int from = at + 2;
            if (length > 0x80) {
                int count = length & 0x7F;
                if (count > 3 || from + count > end) {
                    throw new IllegalArgumentException("DER with a bad length");
                }
                length = 0;
                for (int i = 0; i < count; i++) {
                    length = length << 8 | (bytes[from + i] & 0xFF);
                }
                from += count;
            }
            if (length == 0x80 || from + length > end) {
                throw new IllegalArgumentException("DER with a bad length");
            }
            at = from + length;
            return new Der(bytes, from, at);
        }

        /** Its content as text: of an IA5String inside, or its own. */
        String text() {
            Der inner = end - at >= 2 && (bytes[at] & 0xFF) == 0x16 ? enter(0x16) : this;
            return new String(
                    inner.bytes, inner.at, inner.end - inner.at, StandardCharsets.US_ASCII);
        }

        long number() {
            if (end - at > 8 || end == at) {
                throw new IllegalArgumentException("DER with a large number");
            }
            long number = 0;
            for (int i = at; i < end; i++) {
                number = number << 8 | (bytes[i] & 0xFF);
            }
            return number;
        }
    }
}
