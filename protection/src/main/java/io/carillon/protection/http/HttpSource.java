package io.carillon.protection.http;

import io.carillon.sip.guard.SourceKey;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;

/** Who a request or a connection of HTTP came from, by {@link SourceKey}. */
public final class HttpSource {
    private HttpSource() {}

    /** The visitor, also where another node of a cluster has passed his request on. */
    public static long of(Request request) {
        return of(request.getConnectionMetaData().getRemoteSocketAddress());
    }

    /** Who has connected. */
    public static long of(EndPoint connection) {
        return of(connection.getRemoteSocketAddress());
    }

    private static long of(SocketAddress address) {
        return address instanceof InetSocketAddress from && from.getAddress() != null
                ? SourceKey.of(from.getAddress())
                : 0;
    }
}
