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
 * to who began them. A client changes its network, too: who has proved by credentials to be the
 * user that had the name has it at once.
 *
 * <p>A connection has one name and waits for one, so no table can grow beyond the connections. Any
 * thread.
 *
 * @param <P> the connections
 */
final class NamedPeers<P extends NamedPeers.Peer> {
    /** A connection, known by its identity. */
    interface Peer {
        /** How it is called; null where it can have no name. */
        @Nullable Called called();

        /** By {@link io.carillon.sip.guard.SourceKey}. */
        long source();

        long number();

        ShardLoop loop();

        /** Asks whether it is whole; on its loop. */
        void ping(StreamPing asked);
    }

    /** How a connection is called, and by whom it is used. Any thread. */
    static final class Called {
        /** The name that leads to it. */
        private volatile @Nullable String name;

        /** The one that it uses and does not have: another's. */
        private volatile @Nullable String wanted;

        /** Has it carried what strangers do not have? */
        private volatile boolean belongs;

        /** Who has proved himself by it last; 0: nobody. */
        private volatile long user;
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
        Called called = connection.called();
        if (called == null || name.equals(called.name) || name.length() > EndedPeerNames.LONGEST) {
            return;
        }
        if (!kept.mayTake(name, connection.source(), called.user)) {
            called.wanted = name;
            return;
        }
        P holder = byName.putIfAbsent(name, connection);
        if (holder == null && !kept.mayTake(name, connection.source(), called.user)) {
            byName.remove(name, connection); // its holder has ended since it was asked for
            called.wanted = name;
        } else if (holder == null || holder == connection) {
            kept.taken(name);
            named(name, connection, called);
        } else if (!move(name, holder, connection)) {
            if (holder.source() == connection.source()) {
                await(name, holder, connection);
            } else {
                called.wanted = name;
            }
        }
    }

    /**
     * Its user has the name now by this connection: that of before may be dead, and TCP learns of
     * it late. False where that is another's, or nobody's.
     */
    private boolean move(String name, P holder, P connection) {
        Called from = holder.called();
        Called to = connection.called();
        if (from == null || to == null || to.user == 0 || from.user != to.user) {
            return false;
        }
        if (byName.replace(name, holder, connection)) {
            if (name.equals(from.name)) {
                from.name = null;
            }
            named(name, connection, to);
        }
        return true;
    }

    private void named(String name, P connection, Called called) {
        String known = called.name;
        called.name = name;
        called.wanted = null;
        if (known != null) {
            release(known, connection);
        }
    }

    /**
     * A connection has carried what strangers do not have: a registration, a call, a subscription,
     * or credentials.
     *
     * @param user whose credentials, the same number for the same user; 0: none came
     */
    void proved(P connection, long user) {
        Called called = connection.called();
        if (called == null) {
            return;
        }
        if (!called.belongs) {
            called.belongs = true;
        }
        if (user != 0 && user != called.user) {
            called.user = user;
            String wanted = called.wanted;
            if (wanted != null) {
                put(wanted, connection);
            }
        }
    }

    /** Were the last right credentials that came by it those of that user? */
    static boolean isOf(Peer connection, long user) {
        Called called = connection.called();
        return called != null && user != 0 && called.user == user;
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
        Called called = connection.called();
        String name = called == null ? null : called.name;
        if (called != null && name != null) {
            if (byName.get(name) == connection) {
                kept.keep(name, connection.source(), called.belongs, called.user);
            }
            release(name, connection);
        }
    }
}
