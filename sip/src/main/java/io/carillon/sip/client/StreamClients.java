package io.carillon.sip.client;

import io.carillon.sip.hop.Hop;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The client transactions that wait for a final response over a stream, by its far end: over a
 * stream nothing is sent again, so when it dies they would learn of it by their time-out only.
 * Datagrams cost nothing here.
 *
 * <p>Owner: the shard's thread.
 */
public final class StreamClients {
    /** One of them. */
    public interface Waiting {
        /** Where the request went. */
        Hop hop();

        /** The connection is gone. */
        void connectionLost();
    }

    /** Of a number that names a router: the mark and its number stand there. */
    private static final int ROUTER_BITS = 10;

    /** By far end; with each when its request went there, in the shard's time. */
    private final Map<InetSocketAddress, Map<Waiting, Long>> byRemote = new HashMap<>();

    void add(Waiting client, long nowNanos) {
        if (onStream(client.hop())) {
            byRemote.computeIfAbsent(client.hop().remote(), remote -> new LinkedHashMap<>())
                    .put(client, nowNanos);
        }
    }

    private static boolean onStream(Hop hop) {
        return hop.transport().reliable() && !hop.internal();
    }

    /** Its final response came, or it ended; more than once does no harm. */
    void remove(Waiting client) {
        if (!onStream(client.hop())) {
            return;
        }
        Map<Waiting, Long> same = byRemote.get(client.hop().remote());
        if (same != null && same.remove(client) != null && same.isEmpty()) {
            byRemote.remove(client.hop().remote());
        }
    }

    /**
     * Those that waited on a connection, or on any of a router: then its number is the first part
     * of theirs.
     *
     * @param lostNanos when it was lost: what was sent later went by another one
     */
    public List<Waiting> on(Hop lost, long lostNanos) {
        List<Waiting> found = new ArrayList<>();
        if (lost.byRouter() && lost.connection() << ROUTER_BITS == 0) {
            long router = lost.connection();
            for (Map<Waiting, Long> each : byRemote.values()) {
                for (Waiting client : each.keySet()) {
                    long number = client.hop().connection();
                    if (ofRouter(number) == ofRouter(router)) {
                        found.add(client);
                    }
                }
            }
            return found;
        }
        for (Map.Entry<Waiting, Long> each :
                byRemote.getOrDefault(lost.remote(), Map.of()).entrySet()) {
            Waiting client = each.getKey();
            long named = client.hop().connection();
            if (client.hop().transport() == lost.transport()
                    && (named == 0
                            ? Objects.equals(client.hop().domain(), lost.domain())
                            : named == lost.connection())
                    && each.getValue() - lostNanos <= 0) {
                found.add(client);
            }
        }
        return found;
    }

    private static long ofRouter(long number) {
        return number >>> (Long.SIZE - ROUTER_BITS);
    }

    public int size() {
        int size = 0;
        for (Map<Waiting, Long> same : byRemote.values()) {
            size += same.size();
        }
        return size;
    }
}
