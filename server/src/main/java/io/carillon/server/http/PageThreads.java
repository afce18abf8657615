package io.carillon.server.http;

import io.carillon.protection.http.EverySecond;
import io.carillon.protection.http.HttpSource;
import io.carillon.protection.http.OtherSide;
import java.util.concurrent.atomic.LongAdder;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings requests for pages of applications from the threads of connections, which never wait, to a
 * pool of their own, whose threads may. So the server's own pages are there whatever applications
 * and their visitors do. The pool is bounded and so is what waits for it; more is answered 503. Who
 * gets a thread, and who the answer: {@link SharedThreads}.
 */
final class PageThreads extends Handler.Wrapper {
    private static final Logger LOG = LoggerFactory.getLogger(PageThreads.class);
    private static final String RETRY_SECONDS = "1";

    private final SharedThreads threads;
    private final LongAdder refused;
    private final LongAdder gaveWay;
    private final EverySecond every;

    /**
     * @param refused counts the requests for which there was neither a thread nor a place to wait
     * @param gaveWay counts those that waited for their visitor and made room for others
     */
    PageThreads(Handler handler, SharedThreads threads, LongAdder refused, LongAdder gaveWay) {
        super(handler);
        this.threads = threads;
        this.refused = refused;
        this.gaveWay = gaveWay;
        this.every =
                new EverySecond(
                        LOG,
                        "Pages that make room for others could not be looked for",
                        threads::look);
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
    public boolean handle(Request request, Response response, Callback callback) {
        OtherSide other = Request.as(request, OtherSide.class);
        threads.execute(
                HttpSource.of(request),
                new SharedThreads.Work() {
                    @Override
                    public void run() {
                        work(request, response, callback);
                    }

                    @Override
                    public void refuse() {
                        PageThreads.this.refuse(request, response, callback);
                    }

                    @Override
                    public boolean stalls() {
                        return other != null && other.keepsWaiting();
                    }

                    @Override
                    public void giveWay() {
                        if (other != null) {
                            gaveWay.increment();
                            other.giveUp();
                        }
                    }
                });
        return true;
    }

    private void refuse(Request request, Response response, Callback callback) {
        refused.increment();
        response.getHeaders().put(HttpHeader.RETRY_AFTER, RETRY_SECONDS);
        Response.writeError(request, response, callback, HttpStatus.SERVICE_UNAVAILABLE_503);
    }

    private void work(Request request, Response response, Callback callback) {
        try {
            if (!super.handle(request, response, callback)) {
                Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
            }
        } catch (Throwable e) { // whatever code of an application throws past its own error pages
            LOG.warn("{} {} failed", request.getMethod(), request.getHttpURI().getPath(), e);
            Response.writeError(request, response, callback, HttpStatus.INTERNAL_SERVER_ERROR_500);
        }
    }
}
