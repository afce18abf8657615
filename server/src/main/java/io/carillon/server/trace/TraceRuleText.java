package io.carillon.server.trace;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** The choices of a trace as people write them. */
final class TraceRuleText {
    private TraceRuleText() {}

    /** {@code alice}, {@code alice@example.com}, {@code sip:alice@example.com}, a number. */
    static TraceRule.ByUser user(String text) {
        String plain = text.strip();
        int colon = plain.indexOf(':');
        if (colon >= 0 && plain.substring(0, colon).matches("(?i)sips?|tel")) {
            plain = plain.substring(colon + 1);
        }
        int at = plain.lastIndexOf('@');
        if (at <= 0) {
            return new TraceRule.ByUser(plain, null);
        }
        String host = plain.substring(at + 1);
        int end = host.indexOf(';');
        return new TraceRule.ByUser(
                plain.substring(0, at), end < 0 ? host : host.substring(0, end));
    }

    /**
     * {@code 192.0.2.1}, {@code 192.0.2.1:5060}, {@code 2001:db8::1}, {@code [2001:db8::1]:5060};
     * null for other text. Names are not looked up.
     */
    static TraceRule.@Nullable ByPeer peer(String text) {
        String host = text.strip();
        int port = 0;
        int bracket = host.lastIndexOf(']');
        int colon = host.lastIndexOf(':');
        if (colon > bracket && (bracket > 0 || host.indexOf(':') == colon)) {
            String digits = host.substring(colon + 1);
            if (!digits.matches("\\d{1,5}") || Integer.parseInt(digits) > 65_535) {
                return null;
            }
            port = Integer.parseInt(digits);
            host = host.substring(0, colon);
        }
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        InetAddress address = literal(host);
        return address == null ? null : new TraceRule.ByPeer(address, port);
    }

    private static @Nullable InetAddress literal(String host) {
        // Digits and dots, or colons: nothing that would be looked up.
        if (!host.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}") && host.indexOf(':') < 0) {
            return null;
        }
        try {
            return InetAddress.ofLiteral(host);
        } catch (IllegalArgumentException e) {
            return null; // it only looked like one
        }
    }
}
