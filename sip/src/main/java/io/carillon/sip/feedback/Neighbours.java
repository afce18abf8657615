package io.carillon.sip.feedback;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The peers that take part in overload control, as this node knows them: servers that we send to
 * and clients that send to us. One for all shards of a node.
 *
 * <p>Any thread. Memory: {@link #MOST} of each. One more takes the place of one that was silent for
 * ten seconds; where there is none it is not controlled.
 */
public final class Neighbours {
    /** Servers, and clients. */
    static final int MOST = 1_024;

    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /**
     * RFC 7339 5.4: "The scope of overload control applies to unique combinations of IP and port".
     */
    private final Map<InetSocketAddress, Throttle> servers = new ConcurrentHashMap<>();

    private final Map<InetAddress, Demand> clients = new ConcurrentHashMap<>();
    private final long epochMillis;
    private final AtomicLong seed = new AtomicLong(0x9E3779B97F4A7C15L);

    /**
     * @param epochMillis the time of day less the executor's clock, both in milliseconds: so the
     *     numbers of this run are above those of the one before
     */
    public Neighbours(long epochMillis) {
        this.epochMillis = epochMillis;
    }

    /** A server that is known already. */
    @Nullable Throttle known(InetSocketAddress server) {
        return servers.get(server);
    }

    /** A server; null where there is no place for it. */
    @Nullable Throttle server(InetSocketAddress server, long nowNanos) {
        Throttle known = servers.get(server);
        if (known != null) {
            return known;
        }
        return hasRoom(servers, Throttle::usedNanos, nowNanos)
                ? servers.computeIfAbsent(
                        server,
                        address -> new Throttle(seed.addAndGet(0x9E3779B97F4A7C15L), nowNanos))
                : null;
    }

    /** A client; null where there is no place for it. */
    @Nullable Demand client(InetAddress client, long nowNanos) {
        Demand known = clients.get(client);
        if (known != null) {
            return known;
        }
        return hasRoom(clients, Demand::usedNanos, nowNanos)
                ? clients.computeIfAbsent(client, address -> new Demand(epochMillis, nowNanos))
                : null;
    }

    private static <K, V> boolean hasRoom(Map<K, V> table, ToLongFunction<V> used, long nowNanos) {
        if (table.size() >= MOST) {
            table.values().removeIf(each -> nowNanos - used.applyAsLong(each) >= IDLE_NANOS);
        }
        return table.size() < MOST;
    }

    int servers() {
        return servers.size();
    }

    int clients() {
        return clients.size();
    }
}
