package io.carillon.protection.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes connections whose request's head comes too slowly: one byte now and then keeps a
 * connection from being idle, and some thousands of those keep everybody else out.
 *
 * <p>Connections come and go on Jetty's threads; all are looked at once a second by its scheduler,
 * which alone touches what is known of each. A connection's entry lives as long as the connection.
 */
public final class HeadDeadlines extends AbstractLifeCycle implements Connection.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(HeadDeadlines.class);

    private final ServerConnector connector;
    private final long limitNanos;
    private final LongAdder closed;
    private final Map<HttpConnection, Progress> connections = new ConcurrentHashMap<>();
    private final EverySecond every =
            new EverySecond(LOG, "Slow heads of HTTP could not be looked for", this::look);

    /**
     * @param within a head has to be complete, from its first byte on; a second more may pass
     * @param closed counts the connections that were closed
     */
    public HeadDeadlines(ServerConnector connector, Duration within, LongAdder closed) {
        this.connector = connector;
        this.limitNanos = within.toNanos();
        this.closed = closed;
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof HttpConnection http) {
            connections.put(http, new Progress());
        }
    }

    @Override
    public void onClosed(Connection connection) {
        if (connection instanceof HttpConnection http) {
            connections.remove(http);
        }
    }

    @Override
    protected void doStart() {
        every.start(connector.getScheduler());
    }

    @Override
    protected void doStop() {
        every.stop();
    }

    private void look() {
        long now = System.nanoTime();
        connections.forEach((connection, progress) -> look(connection, progress, now));
    }

    private void look(HttpConnection connection, Progress progress, long now) {
        boolean working = connection.getHttpChannel().getRequest() != null;
        long requests = connection.getMessagesIn();
        if (progress.isLate(now, working, requests, connection.getBytesIn(), limitNanos)) {
            closed.increment();
            connection.getEndPoint().close();
        }
    }

    /** What was seen of one connection between two requests. */
    static final class Progress {
        private boolean waiting = true;
        private long requests;
        private long bytesBefore;
        private boolean begun;
        private long begunNanos;

        /**
         * @param working on a request whose head has come
         * @param requests begun so far
         * @param bytes received so far
         * @param limitNanos from the first byte of a head to its end
         * @return true when the head that has begun takes longer than it may
         */
        boolean isLate(long now, boolean working, long requests, long bytes, long limitNanos) {
            if (working || !waiting || requests != this.requests) {
                waiting = !working;
                this.requests = requests;
                bytesBefore = bytes;
                begun = false;
                return false;
            }
            if (bytes == bytesBefore) {
                return false;
            }
            if (!begun) {
                begun = true;
                begunNanos = now;
            }
            return now - begunNanos >= limitNanos;
        }
    }
}
