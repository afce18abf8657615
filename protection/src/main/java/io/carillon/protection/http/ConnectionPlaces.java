package io.carillon.protection.http;

import io.carillon.sip.guard.Holders;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongPredicate;
import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.internal.HttpConnection;

/**
 * Keeps the last places of a place to listen for those who hold fewest: once all but a sixteenth
 * are taken, each connection more costs the source that holds most one of its own, the one on which
 * nothing has moved for longest: itself, where it holds most. Where each holds one, or one less
 * than the one that comes, nobody gives way. Trusted sources are spared.
 *
 * <p>On Jetty's threads, one lock; bounded by the connections there are.
 */
public final class ConnectionPlaces implements Connection.Listener {
    private static final int RESERVED = 16;

    private final int places;
    private final LongPredicate trusted;
    private final LongAdder closed;

    // Guarded by this.
    private final Holders<EndPoint> holders = new Holders<>();

    /** By what a connection is counted: one that is closed does not tell its address any more. */
    private final Map<EndPoint, Long> sources = new HashMap<>();

    /**
     * @param most connections at one place to listen
     * @param trusted sources by their {@link io.carillon.sip.guard.SourceKey}
     * @param closed counts connections closed for others
     */
    public ConnectionPlaces(int most, LongPredicate trusted, LongAdder closed) {
        this.places = Math.max(1, most - most / RESERVED - 1);
        this.trusted = trusted;
        this.closed = closed;
    }

    @Override
    public void onOpened(Connection connection) {
        if (!(connection instanceof HttpConnection)) {
            return;
        }
        EndPoint end = connection.getEndPoint();
        long source = HttpSource.of(end);
        EndPoint idlest = null;
        synchronized (this) {
            if (holders.count() >= places) {
                for (EndPoint one : mayGiveWay(source)) {
                    if (idlest == null || idle(one) > idle(idlest)) {
                        idlest = one;
                    }
                }
            }
            if (idlest != null) {
                leave(idlest);
            }
            sources.put(end, source);
            holders.add(source, end, trusted.test(source));
        }
        if (idlest != null) {
            closed.increment();
            idlest.close();
        }
    }

    private Set<EndPoint> mayGiveWay(long source) {
        int own = holders.of(source);
        if (holders.most() > own + 1) {
            return holders.ofMost();
        }
        boolean most = own > 1 && own >= holders.most() && !trusted.test(source);
        return most ? holders.heldBy(source) : Set.of();
    }

    @Override
    public void onClosed(Connection connection) {
        if (connection instanceof HttpConnection) {
            synchronized (this) {
                leave(connection.getEndPoint());
            }
        }
    }

    private void leave(EndPoint end) {
        Long source = sources.remove(end);
        if (source != null) {
            holders.remove(source, end);
        }
    }

    private static long idle(EndPoint end) {
        return end instanceof AbstractEndPoint one ? one.getIdleFor() : 0;
    }
}
