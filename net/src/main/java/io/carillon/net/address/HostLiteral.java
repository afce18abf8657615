package io.carillon.net.address;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** Addresses written as numbers. Never asks a resolver. */
public final class HostLiteral {

    private HostLiteral() {}

    /**
     * The address that a host of a URI or a Via says in digits.
     *
     * @param host {@code 192.0.2.1}, {@code 2001:db8::1} or {@code [2001:db8::1]}
     * @return null when it is a name, or no valid address
     */
    public static @Nullable InetAddress parse(String host) {
        int length = host.length();
        if (length == 0) {
            return null;
        }
        char first = host.charAt(0);
        if (first == '[' || host.indexOf(':') >= 0) {
            return v6(host);
        }
        return first >= '0' && first <= '9' ? v4(host) : null;
    }

    /** Four decimal numbers only: the short forms that some resolvers take are names here. */
    private static @Nullable InetAddress v4(String host) {
        byte[] bytes = new byte[4];
        int part = 0;
        int digits = 0;
        int value = 0;
        for (int i = 0; i <= host.length(); i++) {
            char c = i < host.length() ? host.charAt(i) : '.';
            if (c >= '0' && c <= '9') {
                value = value * 10 + (c - '0');
                digits++;
                if (digits > 3 || value > 255) {
                    return null;
                }
            } else if (c == '.' && digits > 0 && part < 4) {
                bytes[part++] = (byte) value;
                digits = 0;
                value = 0;
            } else {
                return null;
            }
        }
        return part == 4 ? address(bytes) : null;
    }

    /**
     * The address that some resolvers make of one to four numbers, decimal, octal or hexadecimal:
     * {@code 127.1}, {@code 2130706433}, {@code 0x7f.1}. No host name ends in a number (RFC 3261
     * 25.1: its last label begins with a letter), so such a text is never asked of the DNS.
     *
     * @return null when it is none of these
     */
    public static @Nullable InetAddress numbers(String host) {
        int length = host.length();
        int end = length > 1 && host.charAt(length - 1) == '.' ? length - 1 : length;
        if (end == 0 || end > 48 || host.charAt(0) < '0' || host.charAt(0) > '9') {
            return null;
        }
        String[] parts = host.substring(0, end).split("\\.", -1);
        if (parts.length > 4) {
            return null;
        }
        long bits = 0;
        for (int i = 0; i < parts.length; i++) {
            boolean last = i == parts.length - 1;
            long part = number(parts[i]);
            long most = last ? (1L << (8 * (5 - parts.length))) - 1 : 255;
            if (part < 0 || part > most) {
                return null;
            }
            bits |= last ? part : part << (24 - 8 * i);
        }
        return address(
                new byte[] {
                    (byte) (bits >> 24), (byte) (bits >> 16), (byte) (bits >> 8), (byte) bits
                });
    }

    /**
     * Is a host no name, so that nobody may be asked for it? It ends in a number, or is an IPv6
     * address, with a zone maybe, which is good on one machine only.
     */
    public static boolean isNoName(String host) {
        return host.indexOf(':') >= 0 || host.startsWith("[") || endsInNumber(host);
    }

    /** Does a host end in a number? */
    public static boolean endsInNumber(String host) {
        int end = host.endsWith(".") ? host.length() - 1 : host.length();
        int from = host.lastIndexOf('.', end - 1) + 1;
        return from < end && host.charAt(from) >= '0' && host.charAt(from) <= '9';
    }

    private static long number(String text) {
        boolean hex = text.startsWith("0x") || text.startsWith("0X");
        int radix = hex ? 16 : text.length() > 1 && text.charAt(0) == '0' ? 8 : 10;
        String digits = hex ? text.substring(2) : text;
        if (digits.isEmpty() || digits.length() > 12) {
            return -1;
        }
        long value = 0;
        for (int i = 0; i < digits.length(); i++) {
            char c = digits.charAt(i);
            int digit = c < 128 ? Character.digit(c, radix) : -1;
            if (digit < 0) {
                return -1;
            }
            value = value * radix + digit;
        }
        return value;
    }

    private static @Nullable InetAddress v6(String host) {
        int from = host.charAt(0) == '[' ? 1 : 0;
        int to = host.length();
        if (from == 1) {
            if (host.charAt(to - 1) != ']') {
                return null;
            }
            to--;
        }
        for (int i = from; i < to; i++) {
            char c = host.charAt(i);
            // Digits, colons, dots only: no name and no zone can reach the JDK's parser, let alone
            // a resolver.
            if (c > 127 || (Character.digit(c, 16) < 0 && c != ':' && c != '.')) {
                return null;
            }
        }
        // RFC 5118 4.10: a server "should accept" the address with three colons that the grammar of
        // RFC 3261 wrongly allows.
        String digits = host.substring(from, to).replace(":::", "::");
        try {
            return InetAddress.ofLiteral(digits);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }

    /** The address as SIP prints it: IPv6 in brackets and without a zone. */
    public static String print(InetAddress address) {
        String text = address.getHostAddress();
        if (text.indexOf(':') < 0) {
            return text;
        }
        int zone = text.indexOf('%');
        return "[" + (zone < 0 ? text : text.substring(0, zone)) + "]";
    }
}
