package io.carillon.lab.load;

import io.carillon.net.address.HostLiteral;
import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.uri.SipUri;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds the way to a URI, and remembers it: a load sees the same few addresses again and again.
 * Names are not looked up: their requests go where those before went. Owner: the engine's thread.
 */
final class RememberedHops {
    private static final int MOST = 4096;

    private byte[] last = new byte[0];
    private Hop lastHop;
    private final Map<String, Hop> known = new HashMap<>();

    RememberedHops(Hop server) {
        lastHop = server;
    }

    /**
     * The way to a URI.
     *
     * @param otherwise the way when the URI names no address; its transport and own address are
     *     used in any case
     */
    Hop of(byte[] b, int from, int to, Hop otherwise) {
        if (Arrays.equals(b, from, to, last, 0, last.length)
                && lastHop.transport() == otherwise.transport()
                && java.util.Objects.equals(lastHop.local(), otherwise.local())) {
            return lastHop;
        }
        String text = Ascii.string(b, from, to);
        String key = otherwise.local() + " " + text;
        Hop hop = known.get(key);
        if (hop == null) {
            hop = resolve(text, otherwise);
            if (known.size() < MOST) {
                known.put(key, hop);
            }
        }
        last = Arrays.copyOfRange(b, from, to);
        lastHop = hop;
        return hop;
    }

    private static Hop resolve(String text, Hop otherwise) {
        try {
            SipUri uri = SipUri.parseSip(text);
            InetAddress address = HostLiteral.parse(uri.host());
            if (address == null || Hop.refused(address)) {
                return otherwise;
            }
            int port = uri.port() > 0 ? uri.port() : otherwise.transport().defaultPort();
            InetSocketAddress remote = new InetSocketAddress(address, port);
            return remote.equals(otherwise.remote())
                    ? otherwise
                    : new Hop(otherwise.transport(), otherwise.local(), remote, 0);
        } catch (SipParseException e) {
            // The server wrote a URI that we cannot read: the request goes where its answers come
            // from, and the server's answer to it is what counts.
            return otherwise;
        }
    }
}
