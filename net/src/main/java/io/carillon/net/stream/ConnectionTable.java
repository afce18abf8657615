package io.carillon.net.stream;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All connections: by number, and by transport and far end. RFC 3261 18: "These connections are
 * indexed by the tuple formed from the address, port, and transport protocol at the far end of the
 * connection." With TLS the name that the far end has proved belongs to it: two domains behind one
 * address are two peers (RFC 5922 7).
 *
 * <p>Any thread. Look-ups take no lock; only opening and closing do. A number is a slot and the
 * generation of its tenant, so an old number never finds a new connection.
 *
 * @param <C> the connections
 */
final class ConnectionTable<C extends ConnectionTable.Entry> {

    private static final int SLOT_BITS = 24;

    /** A number of a connection fits 54 bits, so that the one who has it may stand beside it. */
    private static final long GENERATIONS = (1L << 29) - 1;

    /** Domains of one certificate by which its connection is found. */
    private static final int MOST_ALIASES = 16;

    private final int max;
    private final AtomicReferenceArray<@Nullable C> slots;
    private final List<ConcurrentHashMap<InetSocketAddress, C>> byRemote = new ArrayList<>();
    private final ConcurrentHashMap<Proved, C> byName = new ConcurrentHashMap<>();

    /** A connection, known by its identity. */
    interface Entry extends ConnectionPlaces.Held {
        long number();

        /** Gives it its number, before anybody else can find it. */
        void number(long given);

        /** Transport and far end. */
        Hop peer();

        /** The far end. */
        InetSocketAddress remote();

        /** Has it carried what strangers do not have? Any thread. */
        boolean proved();

        void prove();

        /** By which ways it is found beside its far end; null for nearly all. */
        @Nullable List<Proved> aliases();

        void aliases(List<Proved> given);
    }

    /** A far end that proved a name. */
    record Proved(Transport transport, InetSocketAddress remote, String domain) {}

    // Guarded by this.
    private final ArrayDeque<Integer> free = new ArrayDeque<>();

    private final ConnectionPlaces<C> places;
    private int used;
    private long generation;

    ConnectionTable(int max) {
        if (max >= 1 << SLOT_BITS) {
            throw new IllegalArgumentException("too many connections: " + max);
        }
        this.max = max;
        // A number of an earlier process finds nothing: flow tokens outlive processes.
        generation = ThreadLocalRandom.current().nextLong(GENERATIONS);
        places = new ConnectionPlaces<>(max);
        slots = new AtomicReferenceArray<>(max);
        for (int i = 0; i < Transport.values().length; i++) {
            byRemote.add(new ConcurrentHashMap<>());
        }
    }

    /**
     * Takes a connection in, where it has a place ({@link ConnectionPlaces}), and gives it its
     * number.
     *
     * @param most accepted ones that its source may have with it
     * @param gaveUp gets the one that has to be closed for it, which nobody finds any more
     * @return false when there is no place for it
     */
    boolean add(C connection, int most, Consumer<C> gaveUp) {
        ConnectionPlaces.Admission<C> admission;
        synchronized (this) {
            admission = places.add(connection, most);
            C victim = admission.gaveWay();
            if (victim != null) {
                release(victim);
            }
            if (admission.taken()) {
                take(connection);
            }
        }
        ends(admission.gaveWay(), gaveUp);
        return admission.taken();
    }

    private void ends(@Nullable C victim, Consumer<C> gaveUp) {
        if (victim != null) {
            retire(victim);
            gaveUp.accept(victim);
        }
    }

    private void take(C connection) {
        Integer reused = free.poll();
        int slot = reused == null ? used++ : reused;
        generation = (generation + 1) & GENERATIONS;
        connection.number((generation + 1) << SLOT_BITS | slot);
        slots.set(slot, connection);
    }

    /**
     * A connection has carried what strangers do not have, as a registration: it does not give way
     * to them any more.
     *
     * @param gaveUp as for {@link #add}
     */
    void proved(C connection, Consumer<C> gaveUp) {
        if (connection.proved() || !connection.accepted()) {
            return;
        }
        C victim = null;
        synchronized (this) {
            if (!connection.proved() && get(connection.number()) == connection) {
                ConnectionPlaces.Admission<C> admission = places.prove(connection);
                victim = admission.gaveWay();
                if (victim != null) {
                    release(victim);
                }
                if (admission.taken()) {
                    connection.prove();
                }
            }
        }
        ends(victim, gaveUp);
    }

    /** One of ours is connected. */
    synchronized void connected(C connection) {
        places.connected(connection);
    }

    /** A message came on one of ours, the first one. */
    synchronized void answered(C connection) {
        places.answered(connection);
    }

    /** Gives its place back, once. With the lock held. */
    private void release(C connection) {
        int slot = (int) (connection.number() & (1L << SLOT_BITS) - 1);
        if (slots.compareAndSet(slot, connection, null)) {
            free.push(slot);
            places.remove(connection);
        }
    }

    /**
     * Makes a connection the one that messages to its far end use, unless there is one.
     *
     * @return the one there is, or null when the new one is it now
     */
    @Nullable C claim(C connection) {
        Hop peer = connection.peer();
        String domain = peer.domain();
        return domain == null
                ? of(peer.transport()).putIfAbsent(peer.remote(), connection)
                : byName.putIfAbsent(
                        new Proved(peer.transport(), peer.remote(), domain), connection);
    }

    /**
     * RFC 5923 8.2: requests to where the peer says that it listens may go over the connection that
     * it has opened, when they are for a domain that its certificate has proved. A connection that
     * goes there already keeps them. The first such request of a connection counts.
     */
    void alias(C connection, int port, List<String> identities) {
        if (!connection.accepted() || connection.aliases() != null || identities.isEmpty()) {
            return;
        }
        InetSocketAddress advertised =
                new InetSocketAddress(connection.remote().getAddress(), port);
        List<Proved> ways = new ArrayList<>();
        for (String identity : identities.subList(0, Math.min(identities.size(), MOST_ALIASES))) {
            ways.add(new Proved(Transport.TLS, advertised, identity));
        }
        connection.aliases(ways);
        for (Proved way : ways) {
            byName.putIfAbsent(way, connection);
        }
        if (get(connection.number()) == null) {
            retire(connection); // it ended meanwhile, and nobody else would take them away
        }
    }

    @SuppressWarnings("EnumOrdinal") // an index into a list that lives no longer than the class
    private ConcurrentHashMap<InetSocketAddress, C> of(Transport transport) {
        return byRemote.get(transport.ordinal());
    }

    @Nullable C get(long number) {
        int slot = (int) (number & (1L << SLOT_BITS) - 1);
        C connection = slot < max ? slots.get(slot) : null;
        return connection != null && connection.number() == number ? connection : null;
    }

    /** The connection that a message for there takes, if there is one. */
    @Nullable C to(Hop hop) {
        String domain = hop.domain();
        return domain == null
                ? of(hop.transport()).get(hop.remote())
                : byName.get(new Proved(hop.transport(), hop.remote(), domain));
    }

    /** No further message to its far end uses it, those that name it still do. */
    void retire(C connection) {
        Hop peer = connection.peer();
        String domain = peer.domain();
        if (domain == null) {
            of(peer.transport()).remove(peer.remote(), connection);
        } else {
            byName.remove(new Proved(peer.transport(), peer.remote(), domain), connection);
        }
        List<Proved> aliases = connection.aliases();
        if (aliases != null) {
            for (Proved way : aliases) {
                byName.remove(way, connection);
            }
        }
    }

    void remove(C connection) {
        retire(connection);
        synchronized (this) {
            release(connection);
        }
    }

    /** Those there are at this moment. */
    List<C> all() {
        List<C> all = new ArrayList<>();
        for (int i = 0; i < max; i++) {
            C connection = slots.get(i);
            if (connection != null) {
                all.add(connection);
            }
        }
        return all;
    }
}
