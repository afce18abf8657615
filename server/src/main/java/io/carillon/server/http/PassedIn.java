package io.carillon.server.http;

import java.net.SocketAddress;
import java.util.concurrent.atomic.LongAdder;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * What other nodes pass on, at a place to listen of its own, where each has to prove that it is
 * one: behind here such a request is its visitor's, with his address and by TLS where he came so.
 * Anything else there is answered 400. On threads of connections.
 */
final class PassedIn extends Handler.Wrapper {
    private final Connector arrivals;
    private final LongAdder taken;
    private final LongAdder refused;

    /**
     * @param arrivals where nodes pass on
     * @param taken counts
     * @param refused counts
     */
    PassedIn(Handler handler, Connector arrivals, LongAdder taken, LongAdder refused) {
        super(handler);
        this.arrivals = arrivals;
        this.taken = taken;
        this.refused = refused;
    }

    /** Has another node passed that request on? */
    static boolean has(Request request) {
        return Request.as(request, Visitors.class) != null;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (request.getConnectionMetaData().getConnector() != arrivals) {
            return super.handle(request, response, callback);
        }
        PassedRequest passed = PassedRequest.in(request);
        if (passed == null) {
            refused.increment();
            Response.writeError(
                    request,
                    response,
                    callback,
                    HttpStatus.BAD_REQUEST_400,
                    "Nodes of the cluster pass pages on here");
            return true;
        }
        taken.increment();
        return super.handle(new Visitors(request, passed), response, callback);
    }

    /** A request as its visitor has sent it. */
    static final class Visitors extends Request.Wrapper {
        private final HttpURI uri;
        private final HttpFields headers;
        private final ConnectionMetaData connection;

        Visitors(Request request, PassedRequest passed) {
            super(request);
            uri =
                    HttpURI.build(request.getHttpURI())
                            .scheme(passed.secure() ? "https" : "http")
                            .asImmutable();
            headers =
                    HttpFields.build(request.getHeaders())
                            .remove(PassedRequest.HEADER)
                            .asImmutable();
            connection =
                    new ConnectionMetaData.Wrapper(request.getConnectionMetaData()) {
                        @Override
                        public SocketAddress getRemoteSocketAddress() {
                            return passed.visitor();
                        }

                        @Override
                        public boolean isSecure() {
                            return passed.secure();
                        }
                    };
        }

        @Override
        public HttpURI getHttpURI() {
            return uri;
        }

        @Override
        public HttpFields getHeaders() {
            return headers;
        }

        @Override
        public ConnectionMetaData getConnectionMetaData() {
            return connection;
        }

        @Override
        public boolean isSecure() {
            return connection.isSecure();
        }
    }
}
