package io.carillon.examples.presence;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import javax.servlet.sip.Address;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.URI;

/** Whether what a request will bring goes back to where it came from. */
final class Sender {
    private Sender() {}

    /**
     * RFC 3261 12.1.1: requests in the dialog go to the first Record-Route, or without one to the
     * Contact. Is that the address that the request came from?
     */
    static boolean is(SipServletRequest request) {
        URI next;
        try {
            Address route = request.getAddressHeader("Record-Route");
            Address contact = request.getAddressHeader("Contact");
            if (route == null && contact == null) {
                return false;
            }
            next = (route == null ? contact : route).getURI();
        } catch (ServletParseException e) {
            return false;
        }
        if (!next.isSipURI()) {
            return false;
        }
        String host = ((SipURI) next).getMAddrParam();
        host = host == null ? ((SipURI) next).getHost() : host;
        // RFC 7118 5.2: a browser has no address; it is reached by its connection alone.
        return (host.endsWith(".invalid") && ((SipURI) next).getMAddrParam() == null)
                || same(host, request.getInitialRemoteAddr());
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
}
