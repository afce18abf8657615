package io.carillon.examples.chatroom;

import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Locale;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipURI;

/** For whom a message counts, and whether he is surely the one whom its From names. */
final class Source {
    private Source() {}

    /** The user who proved to be one, else the address that it came from (IPv6: 64 bits). */
    static String of(SipServletRequest message) {
        String host = String.valueOf(message.getInitialRemoteAddr());
        if (message.getRemoteUser() != null) {
            return "user " + message.getRemoteUser();
        }
        if (host.indexOf(':') < 0) {
            return host;
        }
        byte[] address = new InetSocketAddress(host, 0).getAddress().getAddress();
        return new BigInteger(Arrays.copyOf(address, 8)).toString(16);
    }

    /**
     * A user who proved to be one, or somebody at the other end of a connection who names that
     * address. A datagram may bear any address, and whoever has it may answer what he never asked
     * for: phones say 200 to every MESSAGE.
     */
    static boolean isProved(SipServletRequest message) {
        if (message.getRemoteUser() != null) {
            return true;
        }
        String transport = String.valueOf(message.getInitialTransport()).toUpperCase(Locale.ROOT);
        String host = ((SipURI) message.getFrom().getURI()).getHost();
        return !transport.equals("UDP") && Room.bare(host).equals(message.getInitialRemoteAddr());
    }
}
