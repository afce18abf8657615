package io.carillon.sip.edge;

import io.carillon.sip.bytes.Ascii;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks for internal hosts in text: addresses in digits that lie inside, and internal names, each
 * with its port. What is printed to the peer as our own address is none, nor is what belongs to the
 * peer.
 *
 * <p>Owner: one thread. {@link #start} and {@link #end} are where the last one was found.
 */
final class Mentions {
    private final InternalHosts hosts;
    private String outerHost = "";
    private byte @Nullable [] outer;
    private byte @Nullable [] remote;
    private List<Prefix> beyond = List.of();
    private int start;
    private int end;

    Mentions(InternalHosts hosts) {
        this.hosts = hosts;
    }

    /**
     * From now on for that way.
     *
     * @param printed the host that we print on it
     * @param to the peer's address; null when it counts like every other
     * @param networks what is the peer's
     */
    Mentions about(String printed, @Nullable InetAddress to, List<Prefix> networks) {
        if (!printed.equals(outerHost)) {
            outerHost = printed;
            outer = literal(printed);
        }
        remote = to == null ? null : to.getAddress();
        beyond = networks;
        return this;
    }

    private static byte @Nullable [] literal(String host) {
        int last = host.length() - 1;
        boolean brackets = last > 0 && host.charAt(0) == '[' && host.charAt(last) == ']';
        String digits = brackets ? host.substring(1, last) : host;
        return Prefix.looksLike(digits) && digits.indexOf('/') < 0
                ? InetAddress.ofLiteral(digits).getAddress()
                : null;
    }

    /** Where the mention begins that was found last. */
    int start() {
        return start;
    }

    /** Where it ends, its port included. */
    int end() {
        return end;
    }

    /** Finds the first one in {@code [from, to)}. */
    boolean find(byte[] b, int from, int to) {
        // Nothing before the fence belongs to a word that goes on behind it.
        int fence = from;
        int p = from;
        while (p < to) {
            int c = b[p];
            if (c == '%' && p + 2 < to && Ascii.isHex(b[p + 1]) && Ascii.isHex(b[p + 2])) {
                p += 3;
                fence = p;
            } else if (c == ':') {
                if (v6(b, p, fence, to)) {
                    return true;
                }
                p++;
            } else if (alphanumeric(c)) {
                if (word(b, p, fence, to)) {
                    return true;
                }
                p = Math.max(p + 1, end);
            } else {
                p++;
            }
        }
        return false;
    }

    /** A letter or digit; bytes above 127 count as letters. */
    static boolean alphanumeric(int c) {
        return c < 0 || Ascii.isAlpha(c) || Ascii.isDigit(c);
    }

    private static boolean hostByte(int c) {
        return alphanumeric(c) || c == '-' || c == '.' || c == '_';
    }

    /** Looks at the word that begins there; what is not found leaves its end in {@link #end}. */
    private boolean word(byte[] b, int p, int fence, int to) {
        end = p;
        int length = hosts.nameAt(b, p, to);
        if (length > 0 && named(b, p, length, fence, to)) {
            return true;
        }
        if (Ascii.isDigit(b[p])) {
            if (!(p > fence && b[p - 1] == '.') && v4(b, p, to)) {
                return true;
            }
            int q = Math.max(end, p);
            while (q < to && Ascii.isDigit(b[q])) {
                q++;
            }
            end = q;
            return false;
        }
        int q = p;
        // Up to digits: an address may follow a letter.
        while (q < to && alphanumeric(b[q]) && !Ascii.isDigit(b[q])) {
            q++;
        }
        end = q;
        return false;
    }

    private boolean named(byte[] b, int p, int length, int fence, int to) {
        int from = p;
        if (from > fence && alphanumeric(b[from - 1])) {
            return false;
        }
        while (from > fence && hostByte(b[from - 1])) {
            from--;
        }
        int until = p + length;
        // A domain ends here: core.example is not in core.example.com.
        if (Ascii.indexOf(b, p, until, '.') >= 0
                && until + 1 < to
                && b[until] == '.'
                && alphanumeric(b[until + 1])) {
            return false;
        }
        while (until < to && hostByte(b[until])) {
            until++;
        }
        while (until > p + length && !alphanumeric(b[until - 1])) {
            until--;
        }
        while (from < p && !alphanumeric(b[from])) {
            from++;
        }
        if (Ascii.equalsIgnoreCase(b, from, until, outerHost)) {
            end = until;
            return false;
        }
        return found(b, from, until, to);
    }

    private boolean found(byte[] b, int from, int until, int to) {
        start = from;
        end = until;
        if (until + 1 < to && b[until] == ':' && Ascii.isDigit(b[until + 1])) {
            int q = until + 1;
            while (q < to && Ascii.isDigit(b[q])) {
                q++;
            }
            end = q;
        }
        return true;
    }

    private boolean v4(byte[] b, int p, int to) {
        byte[] bytes = new byte[4];
        int q = p;
        for (int part = 0; part < 4; part++) {
            int value = 0;
            int digits = 0;
            while (q < to && Ascii.isDigit(b[q]) && digits < 4) {
                value = value * 10 + b[q] - '0';
                q++;
                digits++;
            }
            if (digits == 0 || digits > 3 || value > 255) {
                return false;
            }
            bytes[part] = (byte) value;
            if (part < 3) {
                if (q == to || b[q] != '.') {
                    return false;
                }
                q++;
            }
        }
        // More numbers behind it: a version or the like.
        if (q + 1 < to && b[q] == '.' && Ascii.isDigit(b[q + 1])) {
            return false;
        }
        if (!internal(bytes)) {
            end = q;
            return false;
        }
        return found(b, p, q, to);
    }

    private boolean v6(byte[] b, int colon, int fence, int to) {
        int from = colon;
        while (from > fence && Ascii.isHex(b[from - 1])) {
            from--;
        }
        int until = colon;
        int colons = 0;
        boolean twice = false;
        while (until < to && (Ascii.isHex(b[until]) || b[until] == ':' || b[until] == '.')) {
            if (b[until] == ':') {
                colons++;
                twice |= until + 1 < to && b[until + 1] == ':';
            }
            until++;
        }
        if (!(twice || colons == 7) || colons > 7 || until - from > 45) {
            return false;
        }
        byte[] bytes;
        try {
            bytes = InetAddress.ofLiteral(Ascii.string(b, from, until)).getAddress();
        } catch (IllegalArgumentException noAddress) {
            return false;
        }
        if (!internal(bytes)) {
            return false;
        }
        boolean brackets = from > fence && b[from - 1] == '[' && until < to && b[until] == ']';
        return found(b, brackets ? from - 1 : from, brackets ? until + 1 : until, to);
    }

    private boolean internal(byte[] bytes) {
        if (same(bytes, outer) || same(bytes, remote)) {
            return false;
        }
        for (int i = 0; i < beyond.size(); i++) {
            if (beyond.get(i).contains(bytes)) {
                return false;
            }
        }
        return hosts.contains(bytes);
    }

    private static boolean same(byte[] one, byte @Nullable [] other) {
        return other != null && Arrays.equals(one, other);
    }
}
