package io.carillon.net.stream;

import io.carillon.net.guard.SourceKey;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * All connections of one transport: by number and by far end. RFC 3261 18: "These connections are
 * indexed by the tuple formed from the address, port, and transport protocol at the far end of the
 * connection."
 *
 * <p>Any thread. Look-ups take no lock; only opening and closing do. A number is a slot and the
 * generation of its tenant, so an old number never finds a new connection.
 */
final class ConnectionTable {

    private static final int SLOT_BITS = 24;

    private final int max;
    private final AtomicReferenceArray<@Nullable StreamConnection> slots;
    private final ConcurrentHashMap<InetSocketAddress, StreamConnection> byRemote =
            new ConcurrentHashMap<>();

    // Guarded by this.
    private final ArrayDeque<Integer> free = new ArrayDeque<>();

    /** By {@link SourceKey}: the addresses of an IPv6 network are one customer's. */
    private final Map<Long, Integer> perSource = new HashMap<>();

    private int used;
    private long generation;

    ConnectionTable(int max) {
        if (max >= 1 << SLOT_BITS) {
            throw new IllegalArgumentException("too many connections: " + max);
        }
        this.max = max;
        slots = new AtomicReferenceArray<>(max);
    }

    /**
     * Takes a connection in and gives it its number.
     *
     * @param most that its source may have with it
     * @return false when there are too many
     */
    synchronized boolean add(StreamConnection connection, int most) {
        Long source = SourceKey.of(connection.remote().getAddress());
        int here = perSource.getOrDefault(source, 0);
        if (here >= most) {
            return false;
        }
        Integer reused = free.poll();
        if (reused == null && used == max) {
            return false;
        }
        int slot = reused == null ? used++ : reused;
        perSource.put(source, here + 1);
        generation++;
        connection.number(generation << SLOT_BITS | slot);
        slots.set(slot, connection);
        return true;
    }

    /**
     * Makes a connection the one that messages to its far end use, unless there is one.
     *
     * @return the one there is, or null when the new one is it now
     */
    @Nullable StreamConnection claim(StreamConnection connection) {
        return byRemote.putIfAbsent(connection.remote(), connection);
    }

    @Nullable StreamConnection get(long number) {
        int slot = (int) (number & (1L << SLOT_BITS) - 1);
        StreamConnection connection = slot < max ? slots.get(slot) : null;
        return connection != null && connection.number() == number ? connection : null;
    }

    @Nullable StreamConnection to(InetSocketAddress remote) {
        return byRemote.get(remote);
    }

    /** No further message to its far end uses it, those that name it still do. */
    void retire(StreamConnection connection) {
        byRemote.remove(connection.remote(), connection);
    }

    void remove(StreamConnection connection) {
        retire(connection);
        int slot = (int) (connection.number() & (1L << SLOT_BITS) - 1);
        synchronized (this) {
            if (!slots.compareAndSet(slot, connection, null)) {
                return;
            }
            free.push(slot);
            Long source = SourceKey.of(connection.remote().getAddress());
            int left = perSource.getOrDefault(source, 1) - 1;
            if (left == 0) {
                perSource.remove(source);
            } else {
                perSource.put(source, left);
            }
        }
    }

    /** Those there are at this moment. */
    List<StreamConnection> all() {
        List<StreamConnection> all = new ArrayList<>();
        for (int i = 0; i < max; i++) {
            StreamConnection connection = slots.get(i);
            if (connection != null) {
                all.add(connection);
            }
        }
        return all;
    }
}
