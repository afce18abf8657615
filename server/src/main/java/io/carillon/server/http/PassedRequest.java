package io.carillon.server.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * What a node tells another in a header of a request that it passes on: where its visitor is, and
 * whether he came by TLS. It is believed where only nodes can connect. Immutable.
 *
 * @param secure whether the visitor came by TLS
 * @param visitor where he is
 */
record PassedRequest(boolean secure, InetSocketAddress visitor) {
    /** The header. What strangers write into it is taken away. */
    static final String HEADER = "Carillon-Passed";

    private static final int FIELDS = 3;
    private static final String TLS = "tls";

    /** Of a request as it came from its visitor. */
    static PassedRequest of(Request request) {
        return new PassedRequest(
                request.isSecure(),
                request.getConnectionMetaData().getRemoteSocketAddress()
                                        instanceof InetSocketAddress known
                                && known.getAddress() != null
                        ? known
                        : new InetSocketAddress(0)); // he has gone already
    }

    /** The header's value. */
    String text() {
        return (secure ? TLS : "plain")
                + " "
                + visitor.getAddress().getHostAddress()
                + " "
                + visitor.getPort();
    }

    /** Reads the header of a request; null where it is none that we have written. */
    static @Nullable PassedRequest in(Request request) {
        String value = request.getHeaders().get(HEADER);
        String[] fields = value == null ? new String[0] : value.split(" ", FIELDS + 1);
        if (fields.length != FIELDS) {
            return null;
        }
        try {
            return new PassedRequest(
                    fields[0].equals(TLS),
                    new InetSocketAddress(
                            InetAddress.ofLiteral(fields[1]), Integer.parseInt(fields[2])));
        } catch (IllegalArgumentException e) {
            return null; // no address, or no port
        }
    }
}
