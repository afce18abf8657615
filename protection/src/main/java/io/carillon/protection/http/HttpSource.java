package io.carillon.protection.http;

import io.carillon.sip.guard.SourceKey;
import java.net.InetSocketAddress;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;

/** Who a request or a connection of HTTP came from, by {@link SourceKey}. */
public final class HttpSource {
    private HttpSource() {}

    public static long of(Request request) {
        return of(request.getConnectionMetaData().getConnection().getEndPoint());
    }

    public static long of(EndPoint connection) {
        return connection.getRemoteSocketAddress() instanceof InetSocketAddress from
                        && from.getAddress() != null
                ? SourceKey.of(from.getAddress())
                : 0;
    }
}
