package io.carillon.sip.privacy;

import java.net.Inet4Address;
import java.net.InetAddress;

/**
 * An address in digits, perhaps with a prefix length, as {@code 192.0.2.7}, {@code 192.0.2.0/24} or
 * {@code 2001:db8::/32}: what every setting that names addresses means by them.
 *
 * @param bits length of the prefix; that of the whole address where none is written
 */
public record AddressRange(InetAddress address, int bits) {
    /**
     * No name is looked up.
     *
     * @throws IllegalArgumentException naming the text, when it is no range
     */
    public static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        InetAddress address = literal(text, slash < 0 ? text : text.substring(0, slash));
        int most = address.getAddress().length * Byte.SIZE;
        return new AddressRange(
                address, slash < 0 ? most : prefix(text, text.substring(slash + 1), most));
    }

    private static InetAddress literal(String range, String digits) {
        try {
            InetAddress address = InetAddress.ofLiteral(digits);
            // The old short forms, in which 192.0.2 is 192.0.0.2, mean something else as a range.
            if (!(address instanceof Inet4Address)
                    || digits.indexOf(':') >= 0
                    || address.getHostAddress().equals(digits)) {
                return address;
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(noRange(range), e);
        }
        throw new IllegalArgumentException(noRange(range));
    }

    private static String noRange(String range) {
        return "'" + range + "' is no address in digits, nor a range as in 192.0.2.0/24";
    }

    private static int prefix(String range, String digits, int most) {
        try {
            int prefix = Integer.parseInt(digits);
            if (prefix >= 0 && prefix <= most) {
                return prefix;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + range + "' has no prefix length", e);
        }
        throw new IllegalArgumentException(
                "'" + range + "' has a prefix length that is not from 0 to " + most);
    }
}
