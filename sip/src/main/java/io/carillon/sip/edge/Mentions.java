package io.carillon.sip.edge;

import io.carillon.sip.address.AddressRange;
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
    private List<AddressRange> beyond = List.of();
    private int start;
    private int end;
    private boolean colon;

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
    Mentions about(String printed, @Nullable InetAddress to, List<AddressRange> networks) {
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
        return AddressRange.looksLike(digits) && digits.indexOf('/') < 0
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

    /**
     * Does what stands for it need a port too? Its colon may end a scheme: in {@code
     * x10.0.0.9:1@example.com} it is none before a port, and without it the URI is none.
     */
    boolean colon() {
        return colon;
    }

    /** Finds the first one in {@code [from, to)}. */
    boolean find(byte[] b, int from, int to) {
        // Nothing before the fence belongs to a word that goes on behind it.
        int fence = from;
        int p = from;
        while (p < to) {
            int c = b[p];
            if (c == '%' && p + 2 < to && Ascii.isHex(b[p + 1]) && Ascii.isHex(b[p + 2])) {
                // It may be a percent sign and no escape: 100%10.0.0.9.
                if (v4(b, p + 1, to)) {
                    return true;
                }
                p += 3;
                fence = p;
            } else if (c == ':') {
                end = p;
                if (v6(b, p, fence, to)) {
                    return true;
                }
                p = Math.max(p + 1, end);
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

    /** A letter or digit of ASCII, as hosts have; a typographic quote may stand beside one. */
    static boolean alphanumeric(int c) {
        return Ascii.isAlpha(c) || Ascii.isDigit(c);
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
            if (!numbersBefore(b, p, fence) && v4(b, p, to)) {
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
        colon = false;
        if (until + 1 < to && b[until] == ':' && Ascii.isDigit(b[until + 1])) {
            int q = until + 1;
            while (q < to && Ascii.isDigit(b[q])) {
                q++;
            }
            end = q;
            colon = from > 0 && alphanumeric(b[from - 1]);
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
        if (q + 1 < to && b[q] == '.' && small(b, q + 1, digitsEnd(b, q + 1, to))) {
            return false;
        }
        if (!internal(bytes)) {
            end = q;
            return false;
        }
        return found(b, p, q, to);
    }

    /** Is it the end of something longer that an address could be the end of, as in 1.10.0.0.9? */
    private static boolean numbersBefore(byte[] b, int p, int fence) {
        if (p - 1 <= fence || b[p - 1] != '.') {
            return false;
        }
        int from = p - 1;
        while (from > fence && Ascii.isDigit(b[from - 1])) {
            from--;
        }
        return small(b, from, p - 1);
    }

    private static int digitsEnd(byte[] b, int from, int to) {
        int end = from;
        while (end < to && Ascii.isDigit(b[end])) {
            end++;
        }
        return end;
    }

    /** Are these digits a number that an address may have in one of its parts? */
    private static boolean small(byte[] b, int from, int to) {
        int value = 0;
        for (int p = from; p < to; p++) {
            value = value * 10 + b[p] - '0';
        }
        return to > from && to - from <= 3 && value <= 255;
    }

    private boolean v6(byte[] b, int colon, int fence, int to) {
        int from = colon;
        while (from > fence && colon - from <= 4 && Ascii.isHex(b[from - 1])) {
            from--;
        }
        int until = v6End(b, from, to);
        if (until < 0) {
            return false;
        }
        byte[] bytes;
        try {
            bytes = InetAddress.ofLiteral(Ascii.string(b, from, until)).getAddress();
        } catch (IllegalArgumentException noAddress) {
            return false;
        }
        if (!internal(bytes)) {
            // Nor is its second half an address of its own.
            end = until;
            return false;
        }
        boolean brackets = from > fence && b[from - 1] == '[' && until < to && b[until] == ']';
        return found(b, brackets ? from - 1 : from, brackets ? until + 1 : until, to);
    }

    /** Where the longest IPv6 address ends that begins there (RFC 4291 2.2); -1 when none does. */
    private static int v6End(byte[] b, int from, int to) {
        int end = -1;
        int groups = 0;
        boolean gap = false;
        int p = from;
        while (groups < 8) {
            if (!gap && p + 1 < to && b[p] == ':' && b[p + 1] == ':') {
                gap = true;
                p += 2;
                end = p;
            } else if (groups > 0) {
                if (p == to || b[p] != ':') {
                    return end;
                }
                p++;
            }
            int q = p;
            while (q < to && Ascii.isHex(b[q])) {
                q++;
            }
            int dotted = q < to && b[q] == '.' && groups <= 6 ? dottedEnd(b, p, to) : -1;
            if (dotted >= 0 && (gap || groups == 6)) {
                return dotted;
            }
            if (q == p || q - p > 4) {
                return end;
            }
            groups++;
            p = q;
            if (gap ? groups < 8 : groups == 8) {
                end = p;
            }
        }
        return end;
    }

    /** Where four numbers end that stand for the last 32 bits; -1 when there are none. */
    private static int dottedEnd(byte[] b, int from, int to) {
        int p = from;
        for (int part = 0; part < 4; part++) {
            int end = digitsEnd(b, p, to);
            if (!small(b, p, end)) {
                return -1;
            }
            p = end;
            if (part < 3) {
                if (p >= to || b[p] != '.') {
                    return -1;
                }
                p++;
            }
        }
        return p;
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
