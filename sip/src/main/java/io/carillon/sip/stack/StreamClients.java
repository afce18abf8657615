package io.carillon.sip.stack;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The client transactions that wait for a final response over a stream, by its far end: over a
 * stream nothing is sent again, so when it dies they would learn of it by their time-out only.
 * Datagrams cost nothing here.
 *
 * <p>Owner: the shard's thread.
 */
final class StreamClients {
    /** One of them. */
    interface Waiting {
        /** Where the request went. */
        Hop hop();

        /** When it went there, in the shard's time. */
        long sentNanos();

        /** The connection is gone. */
        void connectionLost();
    }

    private final Map<InetSocketAddress, Set<Waiting>> byRemote = new HashMap<>();

    void add(Waiting client) {
        if (onStream(client.hop())) {
            byRemote.computeIfAbsent(client.hop().remote(), remote -> new LinkedHashSet<>())
                    .add(client);
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
        Set<Waiting> same = byRemote.get(client.hop().remote());
        if (same != null && same.remove(client) && same.isEmpty()) {
            byRemote.remove(client.hop().remote());
        }
    }

    /**
     * Those that waited on a connection.
     *
     * @param lostNanos when it was lost: what was sent later went by another one
     */
    List<Waiting> on(Hop lost, long lostNanos) {
        List<Waiting> found = new ArrayList<>();
        for (Waiting client : byRemote.getOrDefault(lost.remote(), Set.of())) {
            long named = client.hop().connection();
            if (client.hop().transport() == lost.transport()
                    && (named == 0 || named == lost.connection())
                    && client.sentNanos() - lostNanos <= 0) {
                found.add(client);
            }
        }
        return found;
    }

    int size() {
        int size = 0;
        for (Set<Waiting> same : byRemote.values()) {
            size += same.size();
        }
        return size;
    }
}
