package io.carillon.server.http;

import io.carillon.protection.http.EverySecond;
import io.carillon.protection.http.HttpSource;
import io.carillon.server.nodes.OtherPages;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes requests for sessions of other nodes on to them, so that a page may come to any node.
 * Once: what another node has passed on is served here. It takes no thread of pages, so an event
 * stream may stay open. On threads of connections.
 */
final class PassOn extends Handler.Wrapper {
    private static final Logger LOG = LoggerFactory.getLogger(PassOn.class);

    /** Then the store does not answer; the page is served here, which waits for it too. */
    private static final long ASK_SECONDS = 2;

    private static final String NO_WEB_SOCKET = "no WebSocket is passed on between nodes";

    private final Handler here;
    private final PagePlaces places;
    private final Connector arrivals;
    private final OpenPasses open;
    private final HttpCounters.Passed counters;
    private final EverySecond every;

    /**
     * @param way to the other nodes, by names that are ours
     * @param here serves the pages of this node
     * @param passage at its end
     * @param arrivals where other nodes pass on to this one
     */
    PassOn(
            HostCheck way,
            Handler here,
            Passage passage,
            PagePlaces places,
            Connector arrivals,
            OpenPasses open,
            HttpCounters.Passed counters) {
        super(way);
        this.here = here;
        this.places = places;
        this.arrivals = arrivals;
        this.open = open;
        this.counters = counters;
        this.every =
                new EverySecond(
                        LOG, "Pages at nodes that are gone could not be looked for", passage::look);
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        every.start(getServer().getScheduler());
    }

    @Override
    protected void doStop() throws Exception {
        every.stop();
        super.doStop();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (request.getConnectionMetaData().getConnector() == arrivals) {
            return false;
        }
        int node = places.of(request);
        if (node == PagePlaces.ASK) {
            ask(request, response, callback);
            return true;
        }
        return node != PagePlaces.HERE && pass(node, request, response, callback);
    }

    /** The connection's thread does not wait for the store. */
    private void ask(Request request, Response response, Callback callback) {
        AtomicBoolean answered = new AtomicBoolean();
        IntConsumer then =
                node -> {
                    if (answered.compareAndSet(false, true)) {
                        getServer()
                                .getThreadPool()
                                .execute(() -> answered(node, request, response, callback));
                    }
                };
        getServer()
                .getScheduler()
                .schedule(() -> then.accept(PagePlaces.HERE), ASK_SECONDS, TimeUnit.SECONDS);
        places.ask(request, then);
    }

    private void answered(int node, Request request, Response response, Callback callback) {
        try {
            boolean taken =
                    node == PagePlaces.HERE
                            ? here.handle(request, response, callback)
                            : pass(node, request, response, callback);
            if (!taken) {
                Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
            }
        } catch (Throwable e) { // as if the server had called the handler itself
            LOG.warn("{} {} failed", request.getMethod(), request.getHttpURI().getPath(), e);
            Response.writeError(request, response, callback, HttpStatus.INTERNAL_SERVER_ERROR_500);
        }
    }

    private boolean pass(int node, Request request, Response response, Callback callback)
            throws Exception {
        if (opensWebSocket(request)) {
            // RFC 9110 section 7.6.1: an upgrade is of one connection. A page in place of the
            // WebSocket would be no answer.
            Response.writeError(
                    request, response, callback, HttpStatus.NOT_IMPLEMENTED_501, NO_WEB_SOCKET);
            return true;
        }
        if (node == OtherPages.NOBODY || !open.hasRoom(HttpSource.of(request))) {
            counters.unserved().increment();
            Passage.unavailable(request, response, callback);
            return true;
        }
        request.setAttribute(Passage.TO, node);
        return super.handle(request, response, callback);
    }

    private static boolean opensWebSocket(Request request) {
        return request.getHeaders().contains(HttpHeader.UPGRADE, "websocket");
    }
}
