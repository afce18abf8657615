package io.carillon.net.stream;

import io.carillon.net.shard.ShardLoop;
import io.carillon.sip.hop.Pong;
import java.net.InetSocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The peers that have a name and no address: clients in browsers, which name themselves at random
 * under {@code .invalid} (RFC 7118 B.1). A name leads to the connection that used it first, for as
 * long as that lives: the name stands in every message of its client, so whoever uses it later
 * proves nothing, wherever he comes from (many clients share the address of a NAT).
 *
 * <p>A page that connects again comes from the same address, mostly, and its old connection may be
 * dead without our knowing. So the newest connection from that address is the name's heir, and the
 * old one is sent a ping once for it: what is dead ends by that, and the name goes over.
 *
 * <p>When a holder has ended, its name stays its source's for a while ({@link EndedPeerNames}):
 * nobody from elsewhere takes it meanwhile. RFC 7118 5: what is sent in dialogs of the client goes
 * to who began them.
 *
 * <p>A connection has one name and waits for one, so neither table can grow beyond the connections.
 * Any thread.
 *
 * @param <P> the connections
 */
final class NamedPeers<P extends NamedPeers.Peer> {
    /** A connection, known by its identity. */
    interface Peer {
        /** The name that leads to it; null: none. Any thread. */
        @Nullable String name();

        void name(String given);

        /** By {@link io.carillon.sip.guard.SourceKey}. */
        long source();

        long number();

        ShardLoop loop();

        /** Asks whether it is whole; on its loop. */
        void ping(StreamPing asked);
    }

    /** Waits for no answer: of a dead connection TCP learns by what was sent. */
    private static final Pong NOBODY =
            new Pong() {
                @Override
                public void answered(@Nullable InetSocketAddress seenAs) {
                    // the name stays where it is
                }

                @Override
                public void failed() {
                    // its end is told by the connection itself
                }
            };

    private final ConcurrentHashMap<String, P> byName = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, P> heirs = new ConcurrentHashMap<>();

    /** What each heir waits for. */
    private final ConcurrentHashMap<P, String> awaited = new ConcurrentHashMap<>();

    private final LongPredicate open;
    private final EndedPeerNames kept;

    /**
     * @param open whether the connection of that number is there
     * @param kept names whose holder has ended
     */
    NamedPeers(LongPredicate open, EndedPeerNames kept) {
        this.open = open;
        this.kept = kept;
    }

    /** Notes by which name a connection is called, unless the name is another's. */
    void put(String name, P connection) {
        if (name.equals(connection.name())
                || name.length() > EndedPeerNames.LONGEST
                || !kept.mayTake(name, connection.source())) {
            return;
        }
        P holder = byName.putIfAbsent(name, connection);
        if (holder == null && !kept.mayTake(name, connection.source())) {
            byName.remove(name, connection); // its holder has ended since it was asked for
        } else if (holder == null || holder == connection) {
            kept.taken(name);
            String known = connection.name();
            connection.name(name);
            if (known != null) {
                release(known, connection);
            }
        } else if (holder.source() == connection.source()) {
            await(name, holder, connection);
        }
    }

    private void await(String name, P holder, P connection) {
        if (heirs.put(name, connection) == connection) {
            return; // it waits already, and the holder has had its ping
        }
        String before = awaited.put(connection, name);
        if (before != null && !before.equals(name)) {
            heirs.remove(before, connection);
        }
        holder.loop().execute(() -> holder.ping(new StreamPing(holder.loop(), NOBODY)));
        if (byName.get(name) == null) {
            inherit(name); // the holder ended before it could see its heir
        }
    }

    private void release(String name, P connection) {
        if (byName.remove(name, connection)) {
            inherit(name);
        }
    }

    private void inherit(String name) {
        P heir = heirs.remove(name);
        if (heir != null) {
            awaited.remove(heir, name);
            put(name, heir);
            if (!open.test(heir.number())) {
                remove(heir); // it has ended, and nobody else would take the name away
            }
        }
    }

    @Nullable P get(String name) {
        return byName.get(name);
    }

    /** The connection has ended. */
    void remove(P connection) {
        String wanted = awaited.remove(connection);
        if (wanted != null) {
            heirs.remove(wanted, connection);
        }
        String name = connection.name();
        if (name != null) {
            if (byName.get(name) == connection) {
                kept.keep(name, connection.source());
            }
            release(name, connection);
        }
    }
}
