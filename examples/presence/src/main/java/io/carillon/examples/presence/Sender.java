package io.carillon.examples.presence;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import javax.servlet.sip.Address;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipURI;

/** Whether what a message will bring goes back to where it came from. */
final class Sender {
    private static final String NAME = "name";

    private Sender() {}

    /**
     * RFC 3261 12.1.1: requests in the dialog go to the first Record-Route of the request that
     * began it, or without one to its Contact. Is that address and port where it came from, by the
     * transport that it came by?
     */
    static boolean begins(SipServletRequest request) {
        boolean routed = request.getHeader("Record-Route") != null;
        return is(request, routed ? "Record-Route" : "Contact");
    }

    /** RFC 3261 12.2: a later message moves them to another Contact, when it has one. */
    static boolean stays(SipServletMessage message) {
        return message.getHeader("Contact") == null || is(message, "Contact");
    }

    /** Who has a connection was answered by it; a datagram may bear any address. */
    static boolean connected(SipServletRequest request) {
        String transport = request.getInitialTransport();
        return transport != null && !transport.equalsIgnoreCase("UDP");
    }

    private static boolean is(SipServletMessage message, String header) {
        try {
            Address next = message.getAddressHeader(header);
            return next != null && next.getURI().isSipURI() && is(message, (SipURI) next.getURI());
        } catch (ServletParseException e) {
            return false;
        }
    }

    private static boolean is(SipServletMessage message, SipURI uri) {
        String host = uri.getMAddrParam();
        if (host == null && uri.getHost().endsWith(".invalid")) {
            // RFC 7118 5.2: a browser has no address; it is reached by its connection alone.
            return String.valueOf(message.getInitialTransport()).startsWith("WS")
                    && uri.getHost().equalsIgnoreCase(name(message));
        }
        return transport(uri, String.valueOf(message.getInitialTransport()))
                && same(host == null ? uri.getHost() : host, message.getInitialRemoteAddr())
                && port(uri) == message.getInitialRemotePort();
    }

    /**
     * How the browser is called whose connection it came by: RFC 7118 5.2 has it write that into
     * its Via, RFC 3261 18.1.1 each that sends. Any other name leads to somebody else's connection.
     * In an answer, whose Via is ours, as in the SUBSCRIBE before.
     */
    private static String name(SipServletMessage message) {
        if (message instanceof SipServletResponse) {
            return (String) message.getSession().getAttribute(NAME);
        }
        String[] via = String.valueOf(message.getHeader("Via")).trim().split("\\s+", 3);
        return via.length < 2 ? "" : via[1].replaceFirst("[;:,].*", "");
    }

    /** Notes how the browser is called that has subscribed. */
    static void named(SipServletRequest request) {
        request.getSession().setAttribute(NAME, name(request));
    }

    /**
     * Who sent a datagram has no server of connections there: it would be another's. Behind a
     * connection a URI may name no transport, or that of the connection.
     */
    private static boolean transport(SipURI uri, String came) {
        String named = uri.getTransportParam();
        boolean datagram = came.equalsIgnoreCase("UDP");
        if (named == null) {
            return !datagram || !uri.isSecure();
        }
        return datagram == named.equalsIgnoreCase("udp");
    }

    private static int port(SipURI uri) {
        boolean tls = uri.isSecure() || "tls".equalsIgnoreCase(uri.getTransportParam());
        return uri.getPort() >= 0 ? uri.getPort() : tls ? 5061 : 5060;
    }

    private static boolean same(String host, String source) {
        String digits = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        if (source == null || digits.equals(source)) {
            return source != null;
        }
        // IPv6 has many spellings. With a colon it is no name, and nobody is asked.
        return digits.indexOf(':') >= 0 && address(digits).equals(address(source));
    }

    private static InetAddress address(String digits) {
        InetAddress address = new InetSocketAddress(digits, 0).getAddress();
        return address == null ? InetAddress.getLoopbackAddress() : address;
    }

    /** For whom it counts: the user who proved to be one, else its address (IPv6: 64 bits). */
    static String of(SipServletRequest request) {
        String host = String.valueOf(request.getInitialRemoteAddr());
        if (request.getRemoteUser() != null) {
            return "user " + request.getRemoteUser();
        }
        return host.indexOf(':') < 0
                ? host
                : new BigInteger(Arrays.copyOf(address(host).getAddress(), 8)).toString(16);
    }
}
