package io.carillon.server.http;

import io.carillon.net.address.HostNames;
import io.carillon.protection.http.UnreadBodies;
import java.util.concurrent.atomic.LongAdder;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Refuses requests to a name that is not ours, for applications whose pages trust their own origin.
 * What another node passes on has been looked at there, by its names. On threads of connections.
 */
final class HostCheck extends Handler.Wrapper {
    private final HostNames names;
    private final LongAdder refused;

    /**
     * @param refused counts
     */
    HostCheck(Handler handler, HostNames names, LongAdder refused) {
        super(handler);
        this.names = names;
        this.refused = refused;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String name = Request.getServerName(request);
        if (name == null || names.knows(name) || PassedIn.has(request)) {
            return super.handle(request, response, callback);
        }
        refused.increment();
        // RFC 9110 section 15.5.20: not a server of that name.
        UnreadBodies.beforeAnswer(request, response);
        response.setStatus(HttpStatus.MISDIRECTED_REQUEST_421);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain;charset=utf-8");
        Content.Sink.write(
                response,
                true,
                "This server is not known by that name: http.hosts lists its names.\n",
                callback);
        return true;
    }
}
