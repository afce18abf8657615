package io.carillon.router;

import io.carillon.cluster.link.HandedOn;
import io.carillon.cluster.link.LinkMessage;
import io.carillon.cluster.link.PeerId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What came by connections and is not done with. Over UDP a phone repeats what is not answered;
 * over TCP it does not, so the router does it: a message until a node has taken it, and a request
 * that was taken by a node that died before its answer once more to the node that goes on. So a
 * killed node costs a client of TCP no more than one of UDP.
 *
 * <p>What one connection sends for one partition goes one after the other: the next message when a
 * node has taken the one before. So a repeat is not overtaken by what came behind it, and an ACK
 * that was lost on the link not by its BYE. Others do not wait for it.
 *
 * <p>It lives with its connection, which ends with the router: a router that is killed loses
 * nothing with it that the connection would not lose. Bounded in bytes, for each connection and for
 * all: what was taken longest ago is let go, and what has no room then is sent once.
 *
 * <p>Owner: the router's loop.
 */
final class Undelivered {
    /** RFC 3261 17.1: a request that is not answered for so long has failed. */
    static final long REQUEST_NANOS = TimeUnit.SECONDS.toNanos(32);

    /** As long as a node may take to go on for another one. */
    static final long MESSAGE_NANOS = TimeUnit.SECONDS.toNanos(8);

    static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** RFC 3261 17.1.2.2: T2. */
    static final long SELDOM_NANOS = TimeUnit.SECONDS.toNanos(4);

    static final long REPEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Of a connection, of what nodes have taken and not answered. */
    static final int MOST_OF_ONE = 256 << 10;

    /**
     * Of a connection whose messages come faster than nodes take them: a trunk, nodes that stop.
     */
    static final int MOST_WAITING_OF_ONE = 1 << 20;

    static final long MOST_BYTES = 32L << 20;
    private static final int OVERHEAD_BYTES = 400;

    private final RouterCounts counts;
    private final Map<Long, Held> byNumber = new LinkedHashMap<>();

    /** Requests by connection and branch. */
    private final Map<Long, Held> byBranch = new HashMap<>();

    /** Bytes held for each connection that has some. */
    private final Map<Long, Integer> ofConnection = new HashMap<>();

    /** What no node has taken, and the same by partition: few, while nodes live. */
    private final Set<Held> untaken = new LinkedHashSet<>();

    private final Map<Integer, Set<Held>> untakenOf = new HashMap<>();

    /** The same by connection and partition, in order: the first of each is under way. */
    private final Map<Way, ArrayDeque<Held>> ways = new HashMap<>();

    /** What a node has taken and not answered, by connection, the oldest first. */
    private final Map<Long, Set<Held>> takenOf = new HashMap<>();

    /** When those that were taken were looked at last. */
    private long lookedNanos;

    /** Another one in each process. */
    private long last = ThreadLocalRandom.current().nextLong(1L << 62);

    private long bytes;

    /** What goes one after the other. */
    private record Way(long connection, int partition) {
        static Way of(LinkMessage message) {
            return new Way(message.connection(), message.partition());
        }
    }

    /** One message. */
    private static final class Held {
        final LinkMessage message;

        /** Another one of its way goes first. */
        boolean behind;

        /** It has been given to a node. */
        boolean gone;

        /** Of a request that waits for its answer; 0 for what nobody answers. */
        final long branch;

        final long sinceNanos;
        long number;
        long sentNanos;
        long afterNanos = FIRST_NANOS;

        /** Who has got it, or has taken it, and in which life of his. */
        int node;

        long boot;
        boolean taken;

        Held(LinkMessage message, long branch, long nowNanos) {
            this.message = message;
            this.branch = branch;
            sinceNanos = nowNanos;
        }

        boolean old(long nowNanos) {
            return nowNanos - sinceNanos > (branch != 0 ? REQUEST_NANOS : MESSAGE_NANOS);
        }

        int bytes() {
            return OVERHEAD_BYTES + message.keptBytes();
        }
    }

    /** Who gets what is sent again. */
    interface Again {
        /** Which node a partition's messages go to; {@link PeerId#NONE} for none. */
        int node(int partition);

        /** When the node's process began. */
        long boot(int node);

        void send(int node, LinkMessage message);
    }

    Undelivered(RouterCounts counts) {
        this.counts = counts;
    }

    /**
     * What stands for a request on a connection: its branch, and whether it is a CANCEL, which has
     * the branch of what it cancels (RFC 3261 9.1).
     */
    static long key(long connection, boolean cancel, byte[] b, int from, int to) {
        long hash = connection * 0x9E3779B97F4A7C15L + (cancel ? 1 : 0);
        for (int i = from; i < to; i++) {
            hash = (hash ^ b[i]) * 0x100000001B3L;
        }
        return hash == 0 ? 1 : hash;
    }

    boolean isEmpty() {
        return byNumber.isEmpty();
    }

    /** Bytes of all that is held. */
    long bytes() {
        return bytes;
    }

    /**
     * Numbers a message that is about to be sent, and keeps a copy.
     *
     * @param branch {@link #key} of a request that will be answered; 0 for all else
     * @return false where it goes later, as one of its connection and partition goes first
     */
    boolean keep(LinkMessage message, long branch, int node, long boot, long nowNanos) {
        int more = OVERHEAD_BYTES + message.keptBytes();
        makeRoom(message.connection(), more);
        int before = ofConnection.getOrDefault(message.connection(), 0);
        if (bytes + more > MOST_BYTES || (before > 0 && before + more > MOST_WAITING_OF_ONE)) {
            counts.count(RouterCounter.UNKEPT);
            message.numbered(0);
            return true;
        }
        if (byNumber.isEmpty()) {
            lookedNanos = nowNanos;
        }
        message.numbered(++last);
        Held held = new Held(message.kept(), branch, nowNanos);
        held.number = last;
        sent(held, node, boot, nowNanos);
        byNumber.put(last, held);
        if (branch != 0) {
            byBranch.put(branch, held);
        }
        waits(held);
        bytes += more;
        counts.kept(bytes);
        ofConnection.put(message.connection(), before + more);
        held.gone = !held.behind;
        return held.gone;
    }

    /**
     * The oldest requests of a connection that nodes have taken are let go first: they would be
     * repeated only where a node dies. What is not kept may overtake what waits.
     */
    private void makeRoom(long connection, int more) {
        Set<Held> oldest = takenOf.get(connection);
        while (oldest != null
                && !oldest.isEmpty()
                && ofConnection.getOrDefault(connection, 0) + more > MOST_OF_ONE) {
            counts.count(RouterCounter.UNKEPT);
            var _ = remove(oldest.iterator().next());
        }
    }

    private static void sent(Held held, int node, long boot, long nowNanos) {
        held.node = node;
        held.boot = boot;
        held.sentNanos = nowNanos;
    }

    /** A node has taken it. */
    void taken(long number, int node, long nowNanos, Again again) {
        Held held = byNumber.get(number);
        if (held == null || held.taken) {
            return;
        }
        if (held.node != node) {
            // Who got it was not the owner any more, and has passed it on.
            held.node = node;
            held.boot = again.boot(node);
        }
        Held next = waitsNoMore(held);
        held.taken = true;
        if (held.branch == 0) {
            var _ = remove(held);
        } else {
            takenOf.computeIfAbsent(held.message.connection(), of -> new LinkedHashSet<>())
                    .add(held);
        }
        follow(next, nowNanos, again);
    }

    /** A node does not listen to its sender. */
    void refused(long number, long nowNanos, Again again) {
        Held held = byNumber.get(number);
        if (held != null) {
            follow(remove(held), nowNanos, again);
        }
    }

    /**
     * Who has taken a request has given it to the owner of another partition, who answers it: when
     * that one is no more, or gives its partition away, it goes to the next owner.
     *
     * @param by who says so
     * @param to who has taken it
     */
    void handedOn(long branch, int by, HandedOn to, long nowNanos, Again again) {
        Held held = byBranch.get(branch);
        if (held == null || held.node != by || held.behind) {
            return;
        }
        taken(held.number, by, nowNanos, again);
        held.message.of(to.partition());
        held.node = to.node() == PeerId.NONE ? again.node(to.partition()) : to.node();
        held.boot = again.boot(held.node);
    }

    /** A request is answered. */
    void answered(long branch, long nowNanos, Again again) {
        Held held = byBranch.get(branch);
        if (held != null) {
            follow(remove(held), nowNanos, again);
        }
    }

    /** A connection has ended: nobody waits for answers. What no node has taken yet goes on. */
    void ended(long connection) {
        if (!ofConnection.containsKey(connection)) {
            return;
        }
        for (Held held : List.copyOf(byNumber.values())) {
            if (held.message.connection() == connection && held.taken) {
                var _ = remove(held);
            }
        }
    }

    /** What goes next on its way, or null. */
    private @Nullable Held remove(Held held) {
        byNumber.remove(held.number);
        if (held.branch != 0) {
            byBranch.remove(held.branch, held);
        }
        Held next = null;
        if (held.taken) {
            takenNoMore(held);
        } else {
            next = waitsNoMore(held);
        }
        bytes -= held.bytes();
        counts.kept(bytes);
        long connection = held.message.connection();
        int left = ofConnection.getOrDefault(connection, 0) - held.bytes();
        if (left > 0) {
            ofConnection.put(connection, left);
        } else {
            ofConnection.remove(connection);
        }
        return next;
    }

    /** The turn of that one has come. */
    private void follow(@Nullable Held next, long nowNanos, Again again) {
        if (next == null) {
            return;
        }
        next.behind = false;
        int node = again.node(next.message.partition());
        if (node != PeerId.NONE) {
            send(next, node, nowNanos, again);
        }
    }

    /**
     * A message of a partition is about to go to a node: those before it that went to another one
     * go first, so that they are not overtaken.
     */
    void before(int partition, int node, long nowNanos, Again again) {
        Set<Held> of = untaken.isEmpty() ? null : untakenOf.get(partition);
        if (of == null) {
            return;
        }
        for (Held held : of) {
            if (held.node != node && !held.behind) {
                send(held, node, nowNanos, again);
            }
        }
    }

    private void takenNoMore(Held held) {
        takenOf.computeIfPresent(
                held.message.connection(),
                (connection, of) -> of.remove(held) && of.isEmpty() ? null : of);
    }

    private void waits(Held held) {
        untaken.add(held);
        untakenOf
                .computeIfAbsent(held.message.partition(), partition -> new LinkedHashSet<>())
                .add(held);
        ArrayDeque<Held> way =
                ways.computeIfAbsent(Way.of(held.message), key -> new ArrayDeque<>());
        held.behind = !way.isEmpty();
        way.add(held);
    }

    /** What goes next on its way, or null. */
    private @Nullable Held waitsNoMore(Held held) {
        untaken.remove(held);
        untakenOf.computeIfPresent(
                held.message.partition(),
                (partition, of) -> of.remove(held) && of.isEmpty() ? null : of);
        Way key = Way.of(held.message);
        ArrayDeque<Held> way = ways.get(key);
        if (way == null) {
            return null;
        }
        way.remove(held);
        if (way.isEmpty()) {
            ways.remove(key);
        }
        Held first = way.peekFirst();
        return first != null && first.behind ? first : null;
    }

    /** Sends those again whose time has come. */
    void advance(long nowNanos, Again again) {
        List<Held> due = new ArrayList<>();
        for (Held held : untaken) {
            if (held.old(nowNanos)
                    || (!held.behind
                            && (nowNanos - held.sentNanos >= held.afterNanos
                                    || again.node(held.message.partition()) != held.node))) {
                due.add(held);
            }
        }
        if (nowNanos - lookedNanos >= LOOK_NANOS) {
            // Thousands may wait for their answers.
            lookedNanos = nowNanos;
            for (Held held : byNumber.values()) {
                if (held.taken
                        && (held.old(nowNanos) || nowNanos - held.sentNanos >= REPEAT_NANOS)) {
                    due.add(held);
                }
            }
        }
        for (Held held : due) {
            advance(held, nowNanos, again);
        }
    }

    private void advance(Held held, long nowNanos, Again again) {
        if (held.old(nowNanos)) {
            counts.count(RouterCounter.UNDELIVERED);
            follow(remove(held), nowNanos, again);
            return;
        }
        int node = again.node(held.message.partition());
        if (node == PeerId.NONE) {
            return;
        }
        if (!held.taken) {
            held.afterNanos = Math.min(2 * held.afterNanos, SELDOM_NANOS);
            send(held, node, nowNanos, again);
        } else if (node != held.node || again.boot(node) != held.boot) {
            // Who has taken it is dead, or has given the call to another one: as a phone of UDP
            // repeats it. It is a new message to the link.
            byNumber.remove(held.number);
            held.number = ++last;
            held.taken = false;
            takenNoMore(held);
            waits(held);
            byNumber.put(held.number, held);
            if (!held.behind) {
                send(held, node, nowNanos, again);
            }
        }
    }

    private void send(Held held, int node, long nowNanos, Again again) {
        if (held.gone) {
            counts.count(RouterCounter.SENT_AGAIN);
        }
        held.gone = true;
        sent(held, node, again.boot(node), nowNanos);
        again.send(node, held.message.numbered(held.number));
    }
}
